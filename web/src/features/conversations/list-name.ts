import type { ConversationScope } from '@/lib/conversation-list';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { ConversationsState } from '@/stores/conversations-store';

/** A list of the panel: that of a filter, or the results of the search. */
export type ListName = ConversationScope | 'found';

/** The ids of a list, in its order. */
export function idsOf(state: DeepReadonly<ConversationsState>, list: ListName): readonly string[] {
  return (list === 'found' ? state.found : state.lists[list]).ids;
}
