import { fewAtATime } from '@/lib/few-at-a-time';
import { notify } from '@/lib/notify';
import { serverMessage } from '@/lib/server-message';
import { conversationSelection as t } from '@/messages/conversation-selection';
import { problem } from '@/messages/problem';
import { patchSession } from '@/stores/conversation-session';
import { chosenConversations, unchoose } from '@/stores/conversation-selection-store/change';
import { endSelection } from '@/stores/conversation-selection-store';
import { markFavorite, moveConversation } from '@/stores/conversations-store';

/** What can be done with several conversations at once. */
export type SeveralAction = 'archive' | 'unarchive' | 'favorite' | 'unfavorite';

/** How many calls run at the same time: the server has others to answer too. */
const atATime = 4;

/** Does it with one, also where it is open, and fails if the server refuses. */
async function actOn(id: string, action: SeveralAction): Promise<void> {
  switch (action) {
    case 'archive':
    case 'unarchive': {
      const status = action === 'archive' ? 'archived' : 'active';
      await moveConversation(id, status);
      patchSession(id, { status });
      return;
    }
    case 'favorite':
    case 'unfavorite': {
      const isFavorite = action === 'favorite';
      await markFavorite(id, isFavorite);
      patchSession(id, { isFavorite });
    }
  }
}

/**
 * Does it with all of them, and says once how it went. Those that are done leave the selection, which ends with the
 * last one; those that failed stay selected, for another try.
 */
export async function actOnSeveral(ids: readonly string[], action: SeveralAction): Promise<void> {
  const outcomes = await fewAtATime(atATime, ids, (id) => actOn(id, action));
  const refused = outcomes.find((outcome) => outcome.status === 'rejected');
  const done = ids.filter((_, place) => outcomes[place]?.status === 'fulfilled');
  unchoose(done);
  if (chosenConversations().length === 0) endSelection();
  if (refused === undefined) {
    notify.success(t(`${action}.done`, { count: done.length }));
    return;
  }
  // Calls that fail together mostly fail for one reason: that of the first stands for all.
  const reason = serverMessage(refused.reason, problem('unreachable'));
  notify.error(t(`${action}.failed`, { done: done.length, failed: ids.length - done.length, reason }));
}
