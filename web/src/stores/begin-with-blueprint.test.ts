import { beforeEach, describe, expect, it } from 'vitest';
import { conversationOf } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { beginWithBlueprint } from './begin-with-blueprint';
import { conversationsState, resetConversations } from './conversations-store';

beforeEach(resetConversations);

describe('beginWithBlueprint', () => {
  const start = api('discourse/blueprints/7/conversations');

  it('puts the conversation into the list', async () => {
    server.use(
      http.post(start, () => HttpResponse.json({ ...conversationOf({ id: 'c9' }), missingDataSources: 0 })),
    );
    expect(await beginWithBlueprint(7, {})).toHaveProperty('conversation.id', 'c9');
    expect(conversationsState.byId['c9']).toBeDefined();
  });

  it('puts nothing there when it fails', async () => {
    server.use(http.post(start, () => problem(422, 'invalid', 'No.')));
    expect(await beginWithBlueprint(7, {})).toHaveProperty('failure.message', 'No.');
    expect(conversationsState.byId).toEqual({});
  });
});
