/**
 * Where a collection stands with its server. `failed` is not in the specification's list, and is
 * there because a list that could not be loaded must not look like an empty one.
 */
export type LoadStatus = 'initial' | 'creating' | 'fetching' | 'fetched' | 'updating' | 'failed';

/** Whether there is nothing to show yet, and skeletons stand in. */
export function isFirstLoad(status: LoadStatus): boolean {
  return status === 'initial' || status === 'fetching';
}
