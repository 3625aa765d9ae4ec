import { describe, expect, it } from 'vitest';
import { messageOf } from '@/testing/fixtures/wire';
import { chatMessage, withAnnotation } from './chat-message';

describe('chatMessage', () => {
  it('takes what is known of a message beside its text', () => {
    const annotation = { part: 'answer', followUps: ['And by month?'], table: 'o1' } as const;
    expect(
      chatMessage(messageOf({ annotation: { ...annotation, followUps: ['And by month?'] } })),
    ).toMatchObject(annotation);
  });
});

describe('withAnnotation', () => {
  it('adds what has become known, and keeps what is left out', () => {
    const before = chatMessage(messageOf({ text: 'North.', annotation: { part: 'working', planStep: 2 } }));
    expect(withAnnotation(before, { part: 'answer', caveatsAt: 3 })).toMatchObject({
      text: 'North.',
      part: 'answer',
      planStep: 2,
      caveatsAt: 3,
    });
  });
});
