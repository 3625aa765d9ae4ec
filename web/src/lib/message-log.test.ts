import { describe, expect, it, vi } from 'vitest';
import { MessageLog, type LogMessage } from './message-log';

const message = (seq: number, text = ''): LogMessage => ({ id: `m${seq}`, seq, text });

function setup(): { log: MessageLog<LogMessage>; frame: () => void; listener: ReturnType<typeof vi.fn> } {
  const tasks: (() => void)[] = [];
  const log = new MessageLog<LogMessage>((task) => void tasks.push(task));
  const listener = vi.fn();
  log.subscribe(listener);
  return { log, listener, frame: () => tasks.splice(0).forEach((task) => task()) };
}

const ids = (log: MessageLog<LogMessage>): string[] => log.snapshot().map(({ id }) => id);

describe('MessageLog', () => {
  it('PublishesAFetchedConversationAtOnce, in its order', () => {
    const { log, listener } = setup();
    log.replaceAll([message(3), message(1), message(2)]);
    expect(ids(log)).toEqual(['m1', 'm2', 'm3']);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('PublishesManyPiecesOnceAFrame', () => {
    const { log, frame, listener } = setup();
    log.replaceAll([message(1)]);
    listener.mockClear();
    for (const piece of ['a', 'b', 'c']) log.append('m1', piece);
    expect(log.snapshot()[0]?.text).toBe('');
    frame();
    expect(log.snapshot()[0]?.text).toBe('abc');
    expect(listener).toHaveBeenCalledTimes(1);
  });

  it('KeepsTheIdentityOfWhatDidNotChange', () => {
    const { log, frame } = setup();
    log.replaceAll([message(1), message(2)]);
    const before = log.snapshot();
    log.append('m2', 'x');
    frame();
    expect(log.snapshot()).not.toBe(before);
    expect(log.snapshot()[0]).toBe(before[0]);
    expect(log.snapshot()[1]).not.toBe(before[1]);
  });

  it('AnswersTheSameArrayUntilSomethingChanges', () => {
    const { log, frame } = setup();
    log.replaceAll([message(1)]);
    const before = log.snapshot();
    frame();
    log.append('nobody', 'x');
    frame();
    expect(log.snapshot()).toBe(before);
  });

  it('ReplacesAMessageByItsId', () => {
    const { log, frame } = setup();
    log.replaceAll([message(1), message(2)]);
    log.put({ ...message(1), text: 'new' });
    frame();
    expect(ids(log)).toEqual(['m1', 'm2']);
    expect(log.get('m1')?.text).toBe('new');
  });

  it('MovesAConfirmedMessageToItsPlace', () => {
    const { log, frame } = setup();
    log.replaceAll([message(1)]);
    log.put({ id: 'mine', seq: Number.MAX_SAFE_INTEGER, text: 'hi' });
    log.put(message(3));
    expect(log.now().at(-1)?.id).toBe('mine');
    log.put({ id: 'mine', seq: 2, text: 'hi' });
    frame();
    expect(ids(log)).toEqual(['m1', 'mine', 'm3']);
    log.append('m3', '!');
    expect(log.get('m3')?.text).toBe('!');
  });

  it('TakesOutWhatWasCut', () => {
    const { log, frame } = setup();
    log.replaceAll([message(1), message(2), message(3)]);
    log.keep(({ seq }) => seq < 2);
    frame();
    expect(ids(log)).toEqual(['m1']);
    expect(log.get('m2')).toBeUndefined();
  });

  it('DoesNotPublishAnOldFrameOverAFetchedConversation', () => {
    const { log, frame, listener } = setup();
    log.replaceAll([message(1)]);
    log.append('m1', 'x');
    log.replaceAll([message(9)]);
    listener.mockClear();
    frame();
    expect(listener).not.toHaveBeenCalled();
    expect(ids(log)).toEqual(['m9']);
  });

  it('TouchesOneOfTenThousandMessages', () => {
    const { log, frame, listener } = setup();
    log.replaceAll(Array.from({ length: 10_000 }, (_, at) => message(at + 1)));
    const before = log.snapshot();
    listener.mockClear();
    for (let at = 0; at < 1_000; at++) {
      log.append('m10000', 'token ');
      if (at % 10 === 9) frame();
    }
    // A thousand tokens in a hundred frames are a hundred publications, and only one new message object.
    expect(listener).toHaveBeenCalledTimes(100);
    expect(log.snapshot().filter((one, at) => one !== before[at])).toHaveLength(1);
    expect(log.get('m10000')?.text).toHaveLength(6_000);
  });

  it('StopsCallingWhoLeft', () => {
    const { log } = setup();
    const listener = vi.fn();
    log.subscribe(listener)();
    log.replaceAll([]);
    expect(listener).not.toHaveBeenCalled();
  });
});
