import { plural } from './format';

/** What the picker's button says, or `null` when nothing would change. */
export function pickerLabel(before: readonly number[], after: ReadonlySet<number>): string | null {
  const held = new Set(before);
  const added = [...after].filter((id) => !held.has(id)).length;
  const removed = [...held].filter((id) => !after.has(id)).length;
  if (added === 0 && removed === 0) return null;
  const parts: string[] = [];
  if (added > 0) parts.push(`Add ${plural(added, 'connector')}`);
  if (removed > 0) parts.push(`${added > 0 ? 'remove' : 'Remove'} ${plural(removed, 'connector')}`);
  return parts.join(' and ');
}

/** The items with these ids, in the order of the ids; the first of each id counts. */
export function byIds<T extends { readonly id: number }>(items: readonly T[], ids: readonly number[]): T[] {
  return ids.flatMap((id) => items.find((item) => item.id === id) ?? []);
}

/** What the start button of the home page says. */
export function startLabel(count: number): string {
  return count === 0 ? 'Start without connectors' : `Start with ${plural(count, 'connector')}`;
}
