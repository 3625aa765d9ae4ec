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
    expect(reasonName({ id: 99, name: 'Too long' })).toBe('Too long');
  });

  it('says in English what the migration says that makes them', () => {
    const migration = readFileSync('../persistence/migrations/00016_feedback.sql', 'utf8');
    const labels = [...migration.matchAll(/\((\d+), \d, '([^']+)', (?:true|false)\)/gu)];
    expect(labels).toHaveLength(10);
    expect(labels.map(([, id]) => Number(id))).toEqual([...reasons.keys()]);
    for (const [, id, name] of labels) expect(reasonName({ id: Number(id), name: '' })).toBe(name);
  });
});
