/** A module that is loaded when it is first needed. */
export interface OnDemand<T> {
  /** The module, if it is loaded already. */
  now: () => T | null;
  /** Loads it; all callers share the request. After a failure the next call tries again. */
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
