/** A module that comes when it is first wanted. */
export interface OnDemand<T> {
  /** What has come already. */
  now: () => T | null;
  /** Fetches it; shared by all who ask. After a failure the next one asks again. */
  load: () => Promise<T>;
}

export function onDemand<T>(fetch: () => Promise<T>): OnDemand<T> {
  let here: T | null = null;
  let coming: Promise<T> | null = null;
  const load = async (): Promise<T> => {
    coming ??= fetch();
    try {
      here = await coming;
      return here;
    } catch (error) {
      coming = null;
      throw error;
    }
  };
  return { now: () => here, load };
}
