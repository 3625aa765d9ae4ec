/**
 * Does the work for every item, with at most `limit` of them under way, and returns the outcomes in the order of the
 * items. A failure does not keep the others from being done.
 */
export async function fewAtATime<T, R>(
  limit: number,
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<PromiseSettledResult<R>[]> {
  const outcomes: PromiseSettledResult<R>[] = [];
  // All takers share the iterator: each takes the next item as soon as its own is done.
  const waiting = items.entries();
  async function take(): Promise<void> {
    for (const [place, item] of waiting) {
      [outcomes[place]] = await Promise.allSettled([work(item)]);
    }
  }
  await Promise.all(Array.from({ length: limit }, take));
  return outcomes;
}
