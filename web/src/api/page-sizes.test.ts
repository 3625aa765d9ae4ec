import { describe, expect, it } from 'vitest';
import { api, http, page, server } from '@/testing/server';
import { findAnalysts, listActiveModels, listAnalysts } from './analysts';
import { listConversations } from './conversations';
import { listDataSources, listDataSourceTypes } from './datasources';
import { listGrants } from './grants';
import { listTimePeriods } from './usage';
import { listShareableEntities } from './user';

/** The request of a call. */
async function queryOf(path: string, ask: () => Promise<unknown>): Promise<Record<string, string>> {
  let query: Record<string, string> = {};
  server.use(
    http.get(api(path), ({ request }) => {
      query = Object.fromEntries(new URL(request.url).searchParams);
      return page([]);
    }),
  );
  await ask();
  return query;
}

const agents = { scope: 'all', project: null, search: '' } as const;

describe('how much is asked for at once', () => {
  it.each<[string, string, string, () => Promise<unknown>]>([
    [
      'permissions of a conversation',
      '100',
      'discourse/conversationpermissions',
      () => listGrants({ kind: 'conversation', id: 'c1' }),
    ],
    ['agents', '100', 'analyst/analysts', listAnalysts],
    ['agents to administer', '100', 'analyst/analysts', () => findAnalysts(agents, 1)],
    ['models of agents', '1000', 'analyst/analysts/active-models', listActiveModels],
    ['people and teams', '100', 'user/shareable-entities', () => listShareableEntities()],
    ['data sources', '600', 'memory/datasources', () => listDataSources(1)],
    ['types of data sources', '1000', 'memory/datasources/type', listDataSourceTypes],
    ['time periods', '25', 'discourse/llm-statistics/time-period', listTimePeriods],
  ])('of %s: %s', async (_, size, path, ask) => {
    expect(await queryOf(path, ask)).toMatchObject({ page_size: size });
  });

  it('of conversations: 50, the most recently updated first', async () => {
    expect(await queryOf('discourse/conversations', () => listConversations('all', 1))).toMatchObject({
      page_size: '50',
      sort: '-updated_at',
      retrieve_type: 'all',
    });
    expect(await queryOf('discourse/conversations', () => listConversations('archived', 2))).toMatchObject({
      page: '2',
      status: 'archived',
    });
  });
});
