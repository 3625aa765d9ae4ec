/** The languages of the texts. */
export const languages = ['en', 'de'] as const;

export type Language = (typeof languages)[number];

/** The choices of a person: a language, or that of the browser. */
export type LanguageChoice = Language | 'browser';

const key = 'parley.language';

function isLanguage(value: string | null): value is Language {
  return languages.some((known) => known === value);
}

/** The choice in this browser. A worker has no storage: its formats are those of the browser. */
export function languageChoice(): LanguageChoice {
  if (typeof localStorage === 'undefined') return 'browser';
  const value = localStorage.getItem(key);
  return isLanguage(value) ? value : 'browser';
}

/** Stores the choice. The page must be reloaded, because texts and formats are created once. */
export function chooseLanguage(choice: LanguageChoice): void {
  if (choice === 'browser') localStorage.removeItem(key);
  else localStorage.setItem(key, choice);
}

/** The language part of a BCP 47 tag, such as `de` of `de-AT`. */
function languageOf(tag: string): string {
  return tag.split('-')[0]?.toLowerCase() ?? '';
}

/**
 * The language of the texts, and the BCP 47 tag by which numbers, dates and words are formatted and sorted. A
 * browser in a language without texts gets English texts, but its own formats of numbers and dates.
 */
export function resolveLocale(
  choice: LanguageChoice,
  browser: readonly string[],
): { language: Language; locale: string } {
  const first = browser[0] ?? 'en';
  if (choice === 'browser') {
    const spoken = languageOf(first);
    return { language: isLanguage(spoken) ? spoken : 'en', locale: first };
  }
  return { language: choice, locale: browser.find((tag) => languageOf(tag) === choice) ?? choice };
}

export const { language, locale } = resolveLocale(languageChoice(), navigator.languages);
