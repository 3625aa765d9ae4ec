/** The segments of the blueprint list, in their order. */
export const blueprintScopes = ['all', 'favorite', 'organization', 'owned', 'shared', 'recent'] as const;

export type BlueprintScope = (typeof blueprintScopes)[number];

/** The filters of a list of blueprints. */
export interface BlueprintQuery {
  library: 'all' | 'library' | 'exclude';
  scope: BlueprintScope;
  /** Only those of this category of the library. */
  category: number | null;
  /** Only those of this project; `null` for all. */
  project: number | null;
  search: string;
}

/** A query for everything, with the changes that a list needs. */
export function blueprintQuery(changes: Partial<BlueprintQuery> = {}): BlueprintQuery {
  return { library: 'all', scope: 'all', category: null, project: null, search: '', ...changes };
}
