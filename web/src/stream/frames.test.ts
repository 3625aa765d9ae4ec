import { describe, expect, it } from 'vitest';
import { parseFrame } from './frames';

describe('parseFrame', () => {
  it('ReadsAnEvent', () => {
    expect(
      parseFrame(
        '{"type":"message.created","stream":"c","seq":46,"epoch":7,"generation":3,"at":"2026-11-20T10:00:00.000Z","data":{"id":"m"}}',
      ),
    ).toEqual({
      type: 'message.created',
      stream: 'c',
      seq: 46,
      epoch: 7,
      generation: 3,
      at: '2026-11-20T10:00:00.000Z',
      data: { id: 'm' },
    });
  });

  it('ReadsADelta', () => {
    expect(
      parseFrame(
        '{"type":"message.delta","stream":"c","epoch":7,"generation":3,"message":"m","offset":812,"text":"x"}',
      ),
    ).toMatchObject({ type: 'message.delta', message: 'm', offset: 812, text: 'x' });
  });

  it('ReadsWhoHasAConversationOpen', () => {
    expect(
      parseFrame(
        '{"type":"presence","conversation":"c","count":3,"people":[{"uuid":"u1","fullName":"Ben Ames"},{"uuid":"u2"},"u3",null]}',
      ),
    ).toEqual({
      type: 'presence',
      conversation: 'c',
      count: 3,
      people: [{ uuid: 'u1', fullName: 'Ben Ames' }],
    });
    expect(parseFrame('{"type":"presence","conversation":"c"}')).toMatchObject({ count: 0, people: [] });
  });

  it('TakesAMissingNumberForZero', () => {
    expect(parseFrame('{"type":"conversation.updated","stream":"user","seq":3}')).toMatchObject({
      epoch: 0,
      generation: 0,
    });
  });

  it('KeepsThePlaceOfAnEventThatItDoesNotKnow', () => {
    expect(
      parseFrame('{"type":"pigeon.landed","stream":"user","seq":7,"epoch":2,"data":{"task":1}}'),
    ).toEqual({
      type: 'unknown-event',
      stream: 'user',
      seq: 7,
      epoch: 2,
      generation: 0,
      data: { task: 1 },
    });
  });

  it.each([
    '',
    'null',
    '3',
    '[]',
    '{',
    '{"type":"something.new"}',
    '{"type":"something.new","seq":1}',
    '{"type":"something.new","stream":"c"}',
    '{"seq":1}',
  ])('AnswersNullFor %j', (text) => {
    expect(parseFrame(text)).toBeNull();
  });
});
