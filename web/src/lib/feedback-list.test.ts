import { describe, expect, it } from 'vitest';
import { feedbackOf, sentimentsOfTests } from '@/testing/fixtures/feedback';
import { reasonsOf } from './feedback-list';

describe('reasonsOf', () => {
  it.each([
    ['Like', ['Helpful']],
    ['Dislike', ['Not helpful', 'Wrong numbers']],
    ['Question', []],
  ])('of %s names every label, also the default one, but not the sentiment again', (name, reasons) => {
    const sentiment = sentimentsOfTests.filter((one) => one.name === name);
    expect(reasonsOf(feedbackOf({ sentiment }))).toEqual(reasons);
  });
});
