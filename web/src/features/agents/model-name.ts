import { agents as t } from '@/messages/agents';

/**
 * What people read for a provider or a model. Those that are part of the product have names in
 * the person's language; a vendor's own names are shown as the vendor writes them.
 */
export function modelName(name: string): string {
  switch (name) {
    case 'builtin':
      return t('model.builtin');
    case 'scripted':
      return t('model.scripted');
    case 'openai':
      return 'OpenAI';
    default:
      return name;
  }
}
