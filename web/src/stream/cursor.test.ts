import { describe, expect, it } from 'vitest';
import { cursorOf, positionAt, stepDelta, stepEvent, type Position } from './cursor';
import type { DeltaFrame, EventFrame, EventType } from './frames';
import { byteLength } from './utf8';

function event(seq: number, changes: Partial<EventFrame> = {}): EventFrame {
  return {
    type: 'conversation.updated',
    stream: 'c',
    seq,
    epoch: 1,
    generation: 0,
    at: '2026-11-20T10:00:00.000Z',
    data: {},
    ...changes,
  };
}

function created(seq: number, id: string, text = '', status = 'streaming'): EventFrame {
  return event(seq, { type: 'message.created', data: { id, text, status } });
}

function delta(offset: number, text: string, changes: Partial<DeltaFrame> = {}): DeltaFrame {
  return {
    type: 'message.delta',
    stream: 'c',
    epoch: 1,
    generation: 0,
    message: 'm',
    offset,
    text,
    ...changes,
  };
}

const start = positionAt(5, 0, 1);
const writing = positionAt(5, 0, 1, [{ message: 'm', text: 'Hello' }]);

describe('stepEvent', () => {
  it('AppliesTheNext', () => {
    const { position, verdict } = stepEvent(start, event(6));
    expect(verdict).toEqual({ kind: 'apply' });
    expect(position.seq).toBe(6);
  });

  it('IgnoresARepeat', () => {
    expect(stepEvent(start, event(5)).verdict).toEqual({ kind: 'ignore', why: 'repeat' });
    expect(stepEvent(start, event(1)).position).toBe(start);
  });

  it('AsksAtAGap, once', () => {
    const first = stepEvent(start, event(8));
    expect(first.verdict).toEqual({ kind: 'ask' });
    expect(first.position.seq).toBe(5);
    const second = stepEvent(first.position, event(9));
    expect(second.verdict).toEqual({ kind: 'ignore', why: 'asking' });
  });

  it('GoesOnAfterTheGapIsMended', () => {
    const asked = stepEvent(start, event(8)).position;
    const repaired = [6, 7, 8].reduce<Position>(
      (position, seq) => stepEvent(position, event(seq)).position,
      asked,
    );
    expect(repaired).toMatchObject({ seq: 8, asking: false });
    expect(stepEvent(repaired, event(10)).verdict).toEqual({ kind: 'ask' });
  });

  it('AppliesEachOnceWhateverTheOrder', () => {
    // Every order of arrival, with everything sent again in order afterwards, as a new subscription does.
    const orders = [
      [6, 8, 7],
      [8, 7, 6],
      [7, 6, 8],
      [6, 6, 7, 7, 8],
    ];
    for (const order of orders) {
      const applied: number[] = [];
      let position = start;
      for (const seq of [...order, 6, 7, 8]) {
        const step = stepEvent(position, event(seq));
        position = step.position;
        if (step.verdict.kind === 'apply') applied.push(seq);
      }
      expect(applied).toEqual([6, 7, 8]);
    }
  });

  it('DropsAnOlderGeneration', () => {
    const rewound = stepEvent(start, event(6, { type: 'conversation.rewound', generation: 1 })).position;
    expect(rewound.generation).toBe(1);
    expect(stepEvent(rewound, event(7, { generation: 0 })).verdict).toEqual({
      kind: 'ignore',
      why: 'old-generation',
    });
  });

  it('DropsAnOlderEpoch', () => {
    const owned = stepEvent(start, event(6, { epoch: 3 })).position;
    expect(stepEvent(owned, event(7, { epoch: 2 })).verdict).toEqual({ kind: 'ignore', why: 'old-epoch' });
    expect(stepEvent(owned, event(7, { epoch: 3 })).verdict).toEqual({ kind: 'apply' });
  });

  it('DoesNotLetADeltaOfANewOwnerHideTheLogThatLeadsToIt', () => {
    const ahead = stepDelta(writing, delta(5, '!', { epoch: 4 })).position;
    expect(ahead.epoch).toBe(4);
    expect(stepEvent(ahead, event(6, { epoch: 3 })).verdict).toEqual({ kind: 'apply' });
  });

  it('AsksWhenAMessageEndsLongerThanHeld', () => {
    const end = event(6, { type: 'message.updated', data: { id: 'm', status: 'complete', length: 9 } });
    expect(stepEvent(writing, end).verdict).toEqual({ kind: 'ask' });
    expect(stepEvent(writing, end).position.seq).toBe(5);
  });

  it('ForgetsTheLengthOfAnEndedMessage', () => {
    const end = event(6, { type: 'message.updated', data: { id: 'm', status: 'complete', length: 5 } });
    const { position, verdict } = stepEvent(writing, end);
    expect(verdict).toEqual({ kind: 'apply' });
    expect(cursorOf(position)).toEqual({ seq: 6, generation: 0 });
  });

  it('KeepsTheLengthWhenOnlyObjectsAreAttached', () => {
    const attach = event(6, { type: 'message.updated', data: { id: 'm', displayobjectSet: [{ id: 'o' }] } });
    expect(cursorOf(stepEvent(writing, attach).position)).toMatchObject({ message: 'm', offset: 5 });
  });

  it('HoldsTheBytesOfANewMessage', () => {
    const { position } = stepEvent(start, created(6, 'n', 'Zürich'));
    expect(cursorOf(position)).toEqual({ seq: 6, generation: 0, message: 'n', offset: 7 });
  });

  it('HoldsNothingOfAMessageThatCameWhole', () => {
    expect(stepEvent(start, created(6, 'n', 'done', 'complete')).position.lengths).toEqual([]);
  });

  it('ForgetsAllLengthsAtARewind', () => {
    const { position } = stepEvent(writing, event(6, { type: 'conversation.rewound', generation: 1 }));
    expect(position.lengths).toEqual([]);
  });

  it.each<EventType>(['conversation.created', 'conversation.deleted', 'conversation.streaming-complete'])(
    'LeavesLengthsAloneAt %s',
    (type) => {
      expect(stepEvent(writing, event(6, { type })).position.lengths).toBe(writing.lengths);
    },
  );
});

describe('stepDelta', () => {
  it('AppendsAtTheEnd', () => {
    const { position, verdict } = stepDelta(writing, delta(5, ' you'));
    expect(verdict).toEqual({ kind: 'append', message: 'm', text: ' you' });
    expect(cursorOf(position).offset).toBe(9);
  });

  it('CutsWhatIsHeld', () => {
    expect(stepDelta(writing, delta(3, 'lo you')).verdict).toEqual({
      kind: 'append',
      message: 'm',
      text: ' you',
    });
  });

  it('IgnoresWhatIsHeldWhole', () => {
    const { position, verdict } = stepDelta(writing, delta(0, 'Hello'));
    expect(verdict).toEqual({ kind: 'ignore', why: 'repeat' });
    expect(position.lengths).toBe(writing.lengths);
  });

  it('AsksBeyondTheEnd, once', () => {
    const first = stepDelta(writing, delta(6, 'x'));
    expect(first.verdict).toEqual({ kind: 'ask' });
    expect(stepDelta(first.position, delta(7, 'y')).verdict).toEqual({ kind: 'ignore', why: 'asking' });
    expect(stepDelta(first.position, delta(5, '!')).position.asking).toBe(false);
  });

  it('CountsBytesNotUnits', () => {
    const held = positionAt(5, 0, 1, [{ message: 'm', text: 'a€😀' }]);
    expect(held.lengths[0]?.bytes).toBe(8);
    expect(stepDelta(held, delta(8, 'é')).position.lengths[0]?.bytes).toBe(10);
    // The delta begins at the euro sign: three of its bytes and four of the emoji have been received.
    expect(stepDelta(held, delta(1, '€😀!')).verdict).toEqual({ kind: 'append', message: 'm', text: '!' });
  });

  it('AsksWhenTheCutFallsInsideARune', () => {
    const held = positionAt(5, 0, 1, [{ message: 'm', text: 'ab' }]);
    // One byte of the euro sign would have been received, which is not valid text.
    expect(stepDelta(held, delta(1, '€')).verdict).toEqual({ kind: 'ask' });
  });

  it('DropsAnOlderGeneration', () => {
    const rewound = event(6, { type: 'conversation.rewound', generation: 1 });
    const cut = { kind: 'ignore', why: 'unknown-message' };
    expect(stepDelta(stepEvent(writing, rewound).position, delta(5, 'x')).verdict).toEqual(cut);
    // It was fetched after the rewind, with another message that is being written.
    const fetched = positionAt(8, 1, 1, [{ message: 'n', text: 'Hello' }]);
    expect(stepDelta(fetched, delta(5, 'x')).verdict).toEqual(cut);
  });

  it('AsksAtANewerGeneration', () => {
    expect(stepDelta(writing, delta(5, 'x', { generation: 1 })).verdict).toEqual({ kind: 'ask' });
  });

  it('DropsAnOlderEpoch', () => {
    const later = { ...writing, epoch: 2 };
    expect(stepDelta(later, delta(5, 'x', { epoch: 1 })).verdict).toEqual({
      kind: 'ignore',
      why: 'old-epoch',
    });
  });

  it('IgnoresAMessageThatIsNotBeingWritten', () => {
    expect(stepDelta(start, delta(0, 'x')).verdict).toEqual({ kind: 'ignore', why: 'unknown-message' });
  });

  it('GivesTheWholeTextOnceFromAnyPieces', () => {
    // Pieces of any size, overlapping, repeated and out of order, with the missing ones sent again.
    const text = 'Umsätze stiegen in Österreich — 収益 😀 überall. '.repeat(5);
    // Runes, not user-perceived characters: the server cuts between runes.
    const runes = Array.from(text);
    let seed = 42;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
      return seed % below;
    };
    for (let round = 0; round < 12; round++) {
      let position = positionAt(5, 0, 1, [{ message: 'm', text: '' }]);
      let held = '';
      let tries = 0;
      while (held !== text && tries++ < 5_000) {
        const at = Math.min(random(runes.length), Array.from(held).length + random(3));
        const before = runes.slice(0, at).join('');
        const piece = runes.slice(at, at + 1 + random(9)).join('');
        const step = stepDelta(position, delta(byteLength(before), piece));
        position = step.position;
        if (step.verdict.kind === 'append') held += step.verdict.text;
        expect(text.startsWith(held)).toBe(true);
        expect(position.lengths[0]?.bytes).toBe(byteLength(held));
      }
      expect(held).toBe(text);
    }
  });
});
