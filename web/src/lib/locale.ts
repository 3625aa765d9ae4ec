/** The languages that the texts are there in. */
export const languages = ['en', 'de'] as const;

export type Language = (typeof languages)[number];

/** What a person can choose: a language, or that of the browser. */
export type LanguageChoice = Language | 'browser';

const key = 'parley.language';

function isLanguage(value: string | null): value is Language {
  return languages.some((known) => known === value);
}

/** What was chosen in this browser. */
export function languageChoice(): LanguageChoice {
  const value = localStorage.getItem(key);
  return isLanguage(value) ? value : 'browser';
}

/** Keeps the choice. The page has to be loaded again: texts and formats are made once. */
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
 * browser in a language that there are no texts in gets English ones, and its own numbers and dates.
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
