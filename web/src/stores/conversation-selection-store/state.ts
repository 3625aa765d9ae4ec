import { proxy } from 'valtio';
import { atSignOut } from '@/lib/at-sign-out';

/** Which conversations of the list are selected, for an action on all of them. */
export interface ConversationSelection {
  /** Whether the list is in the mode in which its rows can be selected. */
  on: boolean;
  /** By id, so that a row only depends on its own entry. */
  chosen: Record<string, true>;
  /** The row that was pressed last: a range begins at it. */
  anchor: string | null;
}

const initial = (): ConversationSelection => ({ on: false, chosen: {}, anchor: null });

/** Only the files of this folder may write it. */
export const state = proxy<ConversationSelection>(initial());

/** Begins the selection with nothing in it. */
export function beginSelection(): void {
  Object.assign(state, initial(), { on: true });
}

export function endSelection(): void {
  Object.assign(state, initial());
}

atSignOut(endSelection);
