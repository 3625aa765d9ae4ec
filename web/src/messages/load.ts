import { language } from '@/lib/locale';
import { speak } from '@/lib/texts';

/** Brings the texts of the person's language, where that is not English. To be awaited before the first page is drawn. */
export async function loadTexts(): Promise<void> {
  if (language === 'en') return;
  const { german } = await import('./german');
  speak(language, german);
}
