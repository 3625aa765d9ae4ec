type Id = number | string;

/** The selection in a list, and the entries that a press may not change. */
export interface Selection<I extends Id> {
  readonly selected: readonly I[];
  readonly disabled?: readonly I[];
  readonly locked?: readonly I[];
  readonly single?: boolean;
}

/** Refuses a change (`false`), replaces it by another selection, or accepts it (`undefined`). */
export type SelectionCheck<I extends Id> = (next: readonly I[], id: I) => readonly I[] | false | undefined;

/**
 * The selection after a press on one entry. Disabled and locked entries are ignored, and do not change even if a
 * check replaces the selection; if only one can be chosen, it replaces the other.
 */
export function toggled<I extends Id>(
  selection: Selection<I>,
  id: I,
  check?: SelectionCheck<I>,
): readonly I[] {
  const { selected, disabled = [], locked = [], single = false } = selection;
  if (disabled.includes(id) || locked.includes(id)) return selected;
  const fixed = (one: I): boolean => disabled.includes(one) || locked.includes(one);
  const next = selected.includes(id)
    ? selected.filter((one) => one !== id)
    : [...(single ? selected.filter(fixed) : selected), id];
  const checked = check?.(next, id);
  if (checked === false) return selected;
  if (checked === undefined) return next;
  return [...new Set([...selected.filter(fixed), ...checked.filter((one) => !fixed(one))])];
}
