import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { feedbackOf, sentimentsOfTests } from '@/testing/fixtures/feedback';
import { reasonsOf } from './feedback-list';
import { reasonName, reasons } from './feedback-words';

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

describe('the words for labels', () => {
  it('shows a label that is not known as the server says it', () => {
    expect(reasonName('Wrong numbers')).toBe('Wrong numbers');
    expect(reasonName('constructor')).toBe('constructor');
  });

  it('knows each label of the migration that makes them', () => {
    const migration = readFileSync('../persistence/migrations/00016_feedback.sql', 'utf8');
    const labels = [...migration.matchAll(/\(\d+, \d, '([^']+)', (?:true|false)\)/gu)].map(
      ([, name]) => name ?? '',
    );
    expect(labels).toHaveLength(10);
    expect([...reasons.keys()].toSorted()).toEqual([...new Set(labels)].toSorted());
  });
});
