import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Conversation } from '@/lib/wire';
import { chooseThrough, toggleChosen } from '@/stores/conversation-selection-store/change';
import { conversationsState, type ConversationsState } from '@/stores/conversations-store';
import { idsOf, type ListName } from './list-name';

/** Whether a list is one of archived conversations, which are not archived together but restored. */
export function isOfArchived(state: DeepReadonly<ConversationsState>, list: ListName): boolean {
  return (list === 'found' ? state.found.scope : list) === 'archived';
}

/** Why a conversation cannot be selected: the server does not allow it, or it has been done. */
export type Obstacle = 'forbidden' | 'moved';

/** Why a conversation of the list cannot be selected; `null` if it can. */
export function obstacleOf(
  { abilities, status }: DeepReadonly<Conversation>,
  ofArchived: boolean,
): Obstacle | null {
  // Results of a search stay in place when they are archived.
  if ((status === 'archived') !== ofArchived) return 'moved';
  // The menu of a row has no entry to archive it either; restoring is offered to everybody there.
  return abilities.archive || ofArchived ? null : 'forbidden';
}

/** The conversations of a list that can be selected, in its order. */
export function selectableOf(state: DeepReadonly<ConversationsState>, list: ListName): string[] {
  const ofArchived = isOfArchived(state, list);
  return idsOf(state, list).filter((id) => {
    const conversation = state.byId[id];
    return conversation !== undefined && obstacleOf(conversation, ofArchived) === null;
  });
}

/** Whether there are any, and all of them are favorites. */
export function areFavorites({ byId }: DeepReadonly<ConversationsState>, ids: readonly string[]): boolean {
  return ids.length > 0 && ids.every((id) => byId[id]?.isFavorite === true);
}

/** Selects a row, or no longer; with `range` all rows from the one that was pressed before. */
export function selectRow(list: ListName, id: string, range: boolean): void {
  const selectable = selectableOf(conversationsState, list);
  if (range) chooseThrough(id, selectable);
  else if (selectable.includes(id)) toggleChosen(id);
}
