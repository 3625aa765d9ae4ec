import { renderHook } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadConversationSources } from '@/stores/conversation-sources-store';
import { api, http, page, problem, server } from '@/testing/server';
import { useAskedSources } from './use-asked-sources';

let asked: string[] = [];

beforeEach(async () => {
  asked = [];
  server.use(
    http.get(api('discourse/conversations/c1/data-sources'), () => page([])),
    http.get(api('memory/datasources/:id'), ({ params }) => {
      asked.push(String(params['id']));
      return problem(404, 'D404', 'gone');
    }),
  );
  await loadConversationSources('c1');
});

describe('useAskedSources', () => {
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
