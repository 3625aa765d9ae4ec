import { groupOf, type ConversationGroup } from '@/lib/conversation-groups';

/** A row of the list: the heading of a group, or a conversation. */
export type ListRow =
  | { kind: 'group'; key: string; group: ConversationGroup }
  | { kind: 'item'; key: string; group: ConversationGroup; id: string };

/** The rows of a list that is sorted by time; `divided` puts a heading before each group. */
export function rowsOf(
  ids: readonly string[],
  byId: Readonly<Record<string, { readonly updatedAt: string }>>,
  now: number,
  divided: boolean,
): ListRow[] {
  const rows: ListRow[] = [];
  let last: ConversationGroup | null = null;
  for (const id of ids) {
    const group = groupOf(byId[id]?.updatedAt ?? '', now);
    if (divided && group !== last) rows.push({ kind: 'group', key: `group-${group}`, group });
    last = group;
    rows.push({ kind: 'item', key: id, group, id });
  }
  return rows;
}
