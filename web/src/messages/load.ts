import { language } from '@/lib/locale';
import { speak } from '@/lib/texts';

/**
 * Loads the texts of the person's language, if it is not English. It must be awaited before the first page is
 * rendered.
 */
export async function loadTexts(): Promise<void> {
  if (language === 'en') return;
  const { german } = await import('./german');
  speak(language, german);
}
