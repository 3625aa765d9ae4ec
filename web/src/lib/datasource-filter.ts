import { searchByName, type Named } from './search';

/** The segments of the connector list, in their order. */
export const dataSourceFilters = ['all', 'favorite', 'organization', 'owned', 'shared', 'recent'] as const;

export type DataSourceFilter = (typeof dataSourceFilters)[number];

/** The filters of a list of connectors. */
export interface DataSourceQuery {
  filter: DataSourceFilter;
  /** `null` for all projects. */
  project: number | null;
  words: string;
}

/** The query for all connectors. */
export const everySource: DataSourceQuery = { filter: 'all', project: null, words: '' };

interface Filterable {
  readonly scope: string;
  readonly permission: string;
  readonly isFavorite: boolean;
  /** When a conversation of this person last used it. */
  readonly lastUsedAt: string | null;
  readonly projectLabels: readonly { readonly id: number }[];
}

/** Whether a connector belongs to the list of a query. */
export function isInQuery(source: Filterable & Named, { filter, project, words }: DataSourceQuery): boolean {
  return searchByName(filterDataSources([source], filter, project), words).length > 0;
}

/** The connectors of a segment, and of one project or (`null`) of all; the recent ones by their last use. */
export function filterDataSources<T extends Filterable>(
  sources: readonly T[],
  filter: string,
  project: number | null = null,
): T[] {
  const found = sources.filter(
    (source) =>
      passesDataSourceFilter(source, filter) &&
      (project === null || source.projectLabels.some((label) => label.id === project)),
  );
  return filter === 'recent' ? found.sort((a, b) => usedAt(b) - usedAt(a)) : found;
}

function usedAt(source: Filterable): number {
  return source.lastUsedAt === null ? 0 : Date.parse(source.lastUsedAt);
}

/** Whether a connector belongs to a segment. */
function passesDataSourceFilter(source: Filterable, filter: string): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'favorite':
      return source.isFavorite;
    case 'organization':
      return source.scope === 'organization';
    case 'owned':
      return source.permission === 'owner';
    case 'shared':
      return source.permission !== 'owner' && source.scope === 'user';
    case 'recent':
      return source.lastUsedAt !== null;
    default:
      throw new Error(`Operation "${filter}" currently not supported.`);
  }
}
