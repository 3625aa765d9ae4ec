import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import { findDataSources, listDataSources } from '@/api/datasources';
import { dataSourceOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { api, http, HttpResponse, page, server } from '@/testing/server';
import { Collection, listKey } from './collection';
import { everySource, type DataSourceQuery } from './datasource-filter';
import { useSourceList } from './use-source-list';
import type { DataSource } from './wire';

it('fetches no more of a list that another search is replacing', async () => {
  const asked: string[] = [];
  const { held, release } = hold();
  server.use(
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
  const sources = new Collection<DataSource, DataSourceQuery>({
    list: (query, number) =>
      listKey(query) === listKey(everySource) ? listDataSources(number) : findDataSources(query, number),
  });
  const { result, rerender } = renderHook(({ typed }) => useSourceList(sources, 'all', null, typed), {
    initialProps: { typed: '' },
  });
  await expect.poll(() => result.current.count).toBe(700);
  rerender({ typed: 'shop' });
  await expect.poll(() => asked.at(-1)).toBe('shop:1');
  act(() => result.current.more?.onMore());
  release();
  await expect.poll(() => result.current.items.map(({ name }) => name)).toEqual(['Shops']);
  expect(asked).not.toContain('shop:2');
});
