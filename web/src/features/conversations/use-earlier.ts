import { useCallback, useEffect, useState } from 'react';
import type { ChatMessage } from '@/lib/chat-message';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { loadEarlier, type EarlierState } from '@/stores/conversation-session';

/** Fewer messages than this do not fill a screen. */
const screenful = 20;

interface EarlierOptions {
  conversationId: string;
  earlier: DeepReadonly<EarlierState>;
  /** All loaded messages, and those of them that the filter shows. */
  held: readonly ChatMessage[];
  shown: readonly ChatMessage[];
  /** The message that a link leads to, or `undefined`. */
  linkedId: string | undefined;
}

/** What the transcript needs to know about the messages before the loaded ones. */
interface Earlier {
  has: boolean;
  status: EarlierState['status'];
  /** Called when the reader reaches the first message that is shown. */
  onReached: () => void;
  /** Called when the reader retries. */
  onRetry: () => void;
}

/**
 * Loads earlier messages until the needed ones are loaded: a screenful, the target message of a link, or one before
 * the message that the reader has reached. A page of a filtered conversation may contain none of them.
 */
export function useEarlier({ conversationId, earlier, held, shown, linkedId }: EarlierOptions): Earlier {
  const { before, status } = earlier;
  const firstId = shown[0]?.id ?? null;
  const [reachedId, setReachedId] = useState<string | null>(null);
  const seeksLink = linkedId !== undefined && !held.some((message) => message.id === linkedId);
  const wantsMore = seeksLink || shown.length < screenful || (firstId !== null && reachedId === firstId);
  const load = useCallback(() => void loadEarlier(conversationId, seeksLink), [conversationId, seeksLink]);
  useEffect(() => {
    // `before` is a dependency, so that the next page is requested only when this one has been loaded.
    if (before !== null && status === 'idle' && wantsMore) load();
  }, [before, status, wantsMore, load]);
  return { has: before !== null, status, onReached: () => setReachedId(firstId), onRetry: load };
}
