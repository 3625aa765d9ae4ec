type Id = number | string;

/** What is chosen of a list, and what a press may not change. */
export interface Selection<I extends Id> {
  readonly selected: readonly I[];
  readonly disabled?: readonly I[];
  readonly locked?: readonly I[];
  readonly single?: boolean;
}

/** Says no to a change (`false`), puts another selection in its place, or lets it be (`undefined`). */
export type SelectionCheck<I extends Id> = (next: readonly I[], id: I) => readonly I[] | false | undefined;

/**
 * The selection after a press on one entry. Disabled and locked ones are ignored, and stay as they are also where a
 * check puts another selection in place; where only one can be chosen it takes the place of the other.
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
