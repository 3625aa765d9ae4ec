import { expect, it } from 'vitest';
import { fewAtATime } from './few-at-a-time';
import { hold } from '@/testing/hold';

it('does no more than the limit at the same time, and begins the next one when one is done', async () => {
  const holds = [hold(), hold(), hold()];
  const begun: number[] = [];
  const done = fewAtATime(2, [0, 1, 2], async (item) => {
    begun.push(item);
    await holds[item]!.held;
    return item * 10;
  });
  expect(begun).toEqual([0, 1]);
  holds[1]!.release();
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  for (const { release } of holds) release();
  expect(await done).toMatchObject([{ value: 0 }, { value: 10 }, { value: 20 }]);
});

it('does the others where one fails, and says which one it was', async () => {
  const done = await fewAtATime(4, ['a', 'b', 'c'], (item) =>
    item === 'b' ? Promise.reject(new Error('no')) : Promise.resolve(item),
  );
  expect(done.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});

it('does nothing for nobody', async () => {
  expect(await fewAtATime(4, [], () => Promise.resolve())).toEqual([]);
});
