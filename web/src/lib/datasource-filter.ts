/** The segments of the connector list that this server can answer. */
export const dataSourceFilters = ['all', 'organization', 'owned', 'shared'] as const;

export type DataSourceFilter = (typeof dataSourceFilters)[number];

interface Scoped {
  readonly scope: string;
  readonly permission: string;
}

/** The connectors of a segment. */
export function filterDataSources<T extends Scoped>(sources: readonly T[], filter: string): T[] {
  return sources.filter((source) => passesDataSourceFilter(source, filter));
}

/** Whether a connector stands in a segment. */
function passesDataSourceFilter(source: Scoped, filter: string): boolean {
  switch (filter) {
    case 'all':
      return true;
    case 'organization':
      return source.scope === 'organization';
    case 'owned':
      return source.permission === 'owner';
    case 'shared':
      return source.permission !== 'owner' && source.scope === 'user';
    default:
      throw new Error(`Operation "${filter}" currently not supported.`);
  }
}
