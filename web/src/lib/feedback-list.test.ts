import { describe, expect, it } from 'vitest';
import { feedbackOf, sentimentsOfTests } from '@/testing/fixtures/feedback';
import { reasonsOf } from './feedback-list';

describe('reasonsOf', () => {
  it.each([
    ['Like', ['Helpful']],
    ['Dislike', ['Not helpful', 'Wrong numbers']],
    ['Question', []],
  ])('of %s without a comment names every label, but not the sentiment again', (name, reasons) => {
    const sentiment = sentimentsOfTests.filter((one) => one.name === name);
    expect(reasonsOf(feedbackOf({ sentiment, commentSet: [] }))).toEqual(reasons);
  });

  it.each([
    ['Like', []],
    ['Dislike', ['Not helpful', 'Wrong numbers']],
    ['Question', []],
  ])(
    'of %s with a comment does not name a default label alone, which nobody had to pick',
    (name, reasons) => {
      const sentiment = sentimentsOfTests.filter((one) => one.name === name);
      expect(reasonsOf(feedbackOf({ sentiment }))).toEqual(reasons);
    },
  );
});
