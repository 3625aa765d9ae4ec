import { setupI18n, type Messages } from '@lingui/core';
import { locale, type Language } from './locale';

/** The values of a text's placeholders. Numbers and dates are formatted by the placeholder's own format. */
export type TextValues = Readonly<Record<string, string | number | Date>>;

/** The texts of a page: `t('archive.title')`, `t('found', { count: 3 })`. */
export type Catalogue<Id extends string> = (id: Id, values?: TextValues) => string;

const texts = setupI18n();
texts.load('en', {});
texts.activate('en', [locale, 'en']);

/** The texts of one page, by the ids in its file. */
export type PageTexts = Readonly<Record<string, string>>;

function load(into: Language, page: string, entries: PageTexts): void {
  const byKey = Object.entries(entries).map(([id, text]) => [`${page}:${id}`, text] as const);
  // The build has compiled the files' ICU MessageFormat into the format of the library.
  texts.load(into, Object.fromEntries(byKey) as unknown as Messages);
}

/**
 * Registers the English texts of a page. They are loaded with the page; those of another language are loaded before
 * the first page.
 */
export function catalogue<T extends PageTexts>(page: string, english: T): Catalogue<keyof T & string> {
  load('en', page, english);
  return (id, values) => texts._(`${page}:${id}`, values);
}

/** Shows another language from now on. It must be called before the first page is rendered. */
export function speak(other: Language, pages: Readonly<Record<string, PageTexts>>): void {
  for (const [page, entries] of Object.entries(pages)) load(other, page, entries);
  texts.activate(other, [locale, other]);
}
