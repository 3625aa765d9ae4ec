import { state } from './state';

/*
 * Changes of the selection. They are loaded when a person begins to select; whether somebody does is in the state.
 */

/** The ids of the selected conversations. */
export function chosenConversations(): string[] {
  return Object.keys(state.chosen);
}

/** Selects a conversation, or no longer. The first one begins the selection. */
export function toggleChosen(id: string): void {
  const chosen = state.chosen[id] !== true;
  state.on = true;
  state.anchor = id;
  if (chosen) state.chosen[id] = true;
  else unchoose([id]);
}

/**
 * Selects all from the row that was pressed last up to this one, in the order of the list; only this one if no row
 * was pressed, or if it is no longer in the list.
 */
export function chooseThrough(id: string, list: readonly string[]): void {
  const to = list.indexOf(id);
  if (to < 0) return;
  const from = state.anchor === null ? -1 : list.indexOf(state.anchor);
  const [first, last] = from < 0 ? [to, to] : [Math.min(from, to), Math.max(from, to)];
  state.on = true;
  // The anchor stays, so that the next range corrects this one at its other end only.
  if (from < 0) state.anchor = id;
  choose(list.slice(first, last + 1));
}

/** Selects all of these. */
export function choose(ids: readonly string[]): void {
  for (const id of ids) if (state.chosen[id] !== true) state.chosen[id] = true;
}

/** Takes these out of the selection. */
export function unchoose(ids: readonly string[]): void {
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a record by id is what valtio tracks best
  for (const id of ids) delete state.chosen[id];
}

/** Only these can still be selected: what has left the list leaves the selection. */
export function keepChosen(ids: readonly string[]): void {
  const there = new Set(ids);
  unchoose(chosenConversations().filter((id) => !there.has(id)));
  if (state.anchor !== null && !there.has(state.anchor)) state.anchor = null;
}
