import { limitOfSearch } from '@/api/limits.gen';

/** An item that can be found by name and description. */
export interface Named {
  readonly name: string;
  readonly description: string;
}

/** The items whose name or description contains the words; matches in the name come first. */
export function searchByName<T extends Named>(items: readonly T[], query: string): T[] {
  const needle = query.trim().toLowerCase();
  if (needle === '') return [...items];
  const rank = (item: T): number => {
    const at = item.name.toLowerCase().indexOf(needle);
    if (at === 0) return 0;
    if (at > 0) return 1;
    return item.description.toLowerCase().includes(needle) ? 2 : 3;
  };
  return items
    .map((item) => ({ item, rank: rank(item) }))
    .filter((entry) => entry.rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map((entry) => entry.item);
}

/** The maximum length of a search. */
export const searchMax: number = limitOfSearch;
