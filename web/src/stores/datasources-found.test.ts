import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { dataSourceOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { api, http, HttpResponse, page, server } from '@/testing/server';
import { loadDataSources, resetDataSources, useShownSources } from './datasources-store';

it('FetchesNoMoreOfAListThatAnotherSearchIsReplacing', async () => {
  resetDataSources();
  const asked: string[] = [];
  const { held, release } = hold();
  server.use(
    http.get(api('memory/datasources/type'), () => page([])),
    http.get(api('memory/datasources'), async ({ request }) => {
      const { searchParams } = new URL(request.url);
      const words = searchParams.get('search') ?? '';
      asked.push(`${words}:${searchParams.get('page') ?? 1}`);
      if (words === 'shop') {
        await held;
        return page([dataSourceOf({ id: 2, name: 'Shops' })]);
      }
      return HttpResponse.json({
        results: [dataSourceOf({ id: 1, name: 'Orders' })],
        pagination: { count: 700, next: '/next', previous: null },
      });
    }),
  );
  await loadDataSources();
  const { result, rerender } = renderHook(({ typed }) => useShownSources('all', null, typed), {
    initialProps: { typed: '' },
  });
  await expect.poll(() => result.current.count).toBe(700);
  rerender({ typed: 'shop' });
  await expect.poll(() => asked.at(-1)).toBe('shop:1');
  act(() => result.current.more?.());
  release();
  await expect.poll(() => result.current.shown.map(({ name }) => name)).toEqual(['Shops']);
  expect(asked).not.toContain('shop:2');
});
