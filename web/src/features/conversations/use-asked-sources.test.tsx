import { renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConversationSources } from '@/stores/conversation-sources-store';
import { loadDataSources, resetDataSources } from '@/stores/datasources-store/sources';
import { dataSourceOf } from '@/testing/fixtures/wire';
import { api, http, page, problem, server } from '@/testing/server';
import { useAskedSources } from './use-asked-sources';

let asked: string[] = [];
const lists = { asked: 0 };

beforeEach(async () => {
  asked = [];
  server.use(
    http.get(api('discourse/conversations/c1/data-sources'), () => {
      lists.asked++;
      return page([]);
    }),
    http.get(api('memory/datasources'), () => page([dataSourceOf({ id: 1 })])),
    http.get(api('memory/datasources/:id'), ({ params }) => {
      asked.push(String(params['id']));
      return problem(404, 'D404', 'gone');
    }),
  );
  resetDataSources();
  await loadConversationSources('c1');
  lists.asked = 0;
});

describe('useAskedSources', () => {
  it('does not ask what the conversation knows of before the page is in use, if the own list has them all', async () => {
    await loadDataSources();
    renderHook(() => useAskedSources('c1', [1], true));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(lists.asked).toBe(0);
    window.dispatchEvent(new Event('pointermove'));
    await expect.poll(() => lists.asked).toBe(1);
  });

  it('asks at once for a reader, and for a connector that is not in the own list', async () => {
    await loadDataSources();
    const reader = renderHook(() => useAskedSources('c1', [1], false));
    await expect.poll(() => lists.asked).toBe(1);
    reader.unmount();
    renderHook(() => useAskedSources('c1', [1, 9], true));
    await expect.poll(() => lists.asked).toBe(2);
  });

  it('finds out whether a connector still exists that nobody has told of', async () => {
    const { result } = renderHook(() => useAskedSources('c1', [71], true));
    expect(result.current).toMatchObject({ unknown: [71], withheld: 0 });
    await expect.poll(() => result.current.gone).toEqual([71]);
  });

  it('asks for no connector that a reader of a shared conversation has no access to', async () => {
    const { result } = renderHook(() => useAskedSources('c1', [72], false));
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(asked).toEqual([]);
    expect(result.current).toMatchObject({ ids: [], unknown: [72], gone: [], withheld: 1 });
  });
});
