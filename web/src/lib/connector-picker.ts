import { connectors as t } from '@/messages/connectors';

/** What the picker's button says, or `null` when nothing would change. */
export function pickerLabel(before: readonly number[], after: ReadonlySet<number>): string | null {
  const held = new Set(before);
  const added = [...after].filter((id) => !held.has(id)).length;
  const removed = [...held].filter((id) => !after.has(id)).length;
  if (added === 0 && removed === 0) return null;
  if (removed === 0) return t('picker.add', { added });
  return added === 0 ? t('picker.remove', { removed }) : t('picker.both', { added, removed });
}

/** The items with these ids, in the order of the ids; the first of each id counts. */
export function byIds<T extends { readonly id: number }>(items: readonly T[], ids: readonly number[]): T[] {
  return ids.flatMap((id) => items.find((item) => item.id === id) ?? []);
}
