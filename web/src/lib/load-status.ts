/**
 * The loading state of a collection. `failed` is not in the specification's list; it exists because a list that
 * could not be loaded must not look like an empty one.
 */
export type LoadStatus = 'initial' | 'creating' | 'fetching' | 'fetched' | 'updating' | 'failed';

/** Whether there is nothing to show yet, so that skeletons are shown. */
export function isFirstLoad(status: LoadStatus): boolean {
  return status === 'initial' || status === 'fetching';
}
