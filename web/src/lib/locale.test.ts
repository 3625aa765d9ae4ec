import { expect, it } from 'vitest';
import { chooseLanguage, languageChoice, resolveLocale } from './locale';

it('follows the browser, with its own region', () => {
  expect(resolveLocale('browser', ['de-AT', 'en'])).toEqual({ language: 'de', locale: 'de-AT' });
});

it('writes English when there are no texts, with the numbers of the browser', () => {
  expect(resolveLocale('browser', ['fr-CH'])).toEqual({ language: 'en', locale: 'fr-CH' });
});

it('takes a chosen language, in the region that the browser names for it', () => {
  expect(resolveLocale('de', ['en-GB', 'de-CH'])).toEqual({ language: 'de', locale: 'de-CH' });
  expect(resolveLocale('de', ['en-GB'])).toEqual({ language: 'de', locale: 'de' });
});

it('keeps a choice, and forgets what is no language', () => {
  chooseLanguage('de');
  expect(languageChoice()).toBe('de');
  chooseLanguage('browser');
  expect(languageChoice()).toBe('browser');
  localStorage.setItem('parley.language', '<b>');
  expect(languageChoice()).toBe('browser');
});
