import { renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ChatMessage } from '@/lib/chat-message';
import * as session from '@/stores/conversation-session';
import { useEarlier } from './use-earlier';

function messages(first: number, last: number): ChatMessage[] {
  return Array.from({ length: last - first + 1 }, (_, i) => ({ id: `m${first + i}` }) as ChatMessage);
}

const idle = (before: number | null): session.EarlierState => ({ before, status: 'idle' });
const hundred = messages(101, 200);

type Options = Parameters<typeof useEarlier>[0];

function setup(given: Partial<Options>) {
  const load = vi.spyOn(session, 'loadEarlier').mockResolvedValue();
  const options: Options = {
    conversationId: 'c1',
    earlier: idle(101),
    held: hundred,
    shown: hundred,
    linkedId: undefined,
    ...given,
  };
  const view = renderHook((props: Options) => useEarlier(props), { initialProps: options });
  return {
    load,
    ...view,
    then: (changes: Partial<Options>) => view.rerender(Object.assign(options, changes)),
  };
}

beforeEach(() => {
  vi.restoreAllMocks();
});

describe('useEarlier', () => {
  it('asks for nothing while a screenful is shown', () => {
    expect(setup({}).load).not.toHaveBeenCalled();
  });

  it('continues until the filter shows a screenful, or there is no more', () => {
    const { load, then } = setup({ shown: messages(199, 200) });
    expect(load).toHaveBeenCalledTimes(1);
    then({ earlier: { before: 101, status: 'loading' } });
    expect(load).toHaveBeenCalledTimes(1);
    then({ earlier: idle(1) });
    expect(load).toHaveBeenCalledTimes(2);
    then({ earlier: idle(null) });
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('continues in large pages until the message of a link is there', () => {
    const { load, then } = setup({ linkedId: 'm7' });
    expect(load).toHaveBeenCalledWith('c1', true);
    then({ earlier: idle(1), held: messages(1, 200) });
    expect(load).toHaveBeenCalledTimes(1);
  });

  it('continues when the reader has come to the first message, until there is one before it', async () => {
    const { load, then, result } = setup({});
    result.current.onReached();
    await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
    // The page contained nothing that the filter shows.
    then({ earlier: idle(51) });
    expect(load).toHaveBeenCalledTimes(2);
    then({ earlier: idle(21), shown: messages(40, 200) });
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('does not repeat by itself what failed', () => {
    const { load, then, result } = setup({ shown: [] });
    then({ earlier: { before: 101, status: 'failed' } });
    expect(load).toHaveBeenCalledTimes(1);
    result.current.onRetry();
    expect(load).toHaveBeenCalledTimes(2);
  });
});
