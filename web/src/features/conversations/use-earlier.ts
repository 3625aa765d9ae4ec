import { useCallback, useEffect, useState } from 'react';
import type { ChatMessage } from '@/lib/chat-message';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { loadEarlier, type EarlierState } from '@/stores/conversation-session';

/** Fewer messages than this do not fill a screen. */
const screenful = 20;

interface EarlierOptions {
  conversationId: string;
  earlier: DeepReadonly<EarlierState>;
  /** All messages that are held, and the ones of them that the filter shows. */
  held: readonly ChatMessage[];
  shown: readonly ChatMessage[];
  /** The message that a link leads to, or `undefined`. */
  linkedId: string | undefined;
}

/** What the transcript is told of the messages before those that are held. */
interface Earlier {
  has: boolean;
  status: EarlierState['status'];
  /** The reader has come to the first message that is shown. */
  onReached: () => void;
  /** The reader wants another try. */
  onRetry: () => void;
}

/**
 * Loads earlier messages until what is wanted of them is there: a screenful, the message that a link leads to, or
 * something before the message that the reader has come to. One page of a filtered conversation may hold none of it.
 */
export function useEarlier({ conversationId, earlier, held, shown, linkedId }: EarlierOptions): Earlier {
  const { before, status } = earlier;
  const firstId = shown[0]?.id ?? null;
  const [reachedId, setReachedId] = useState<string | null>(null);
  const seeksLink = linkedId !== undefined && !held.some((message) => message.id === linkedId);
  const wantsMore = seeksLink || shown.length < screenful || (firstId !== null && reachedId === firstId);
  const load = useCallback(() => void loadEarlier(conversationId, seeksLink), [conversationId, seeksLink]);
  useEffect(() => {
    // `before` is part of it: the next page is asked for only once this one is there.
    if (before !== null && status === 'idle' && wantsMore) load();
  }, [before, status, wantsMore, load]);
  return { has: before !== null, status, onReached: () => setReachedId(firstId), onRetry: load };
}
