import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { blueprintOf, conversationOf } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { blueprints, resetBlueprints } from './blueprints';
import { startBlueprint } from './start';

const start = api('discourse/blueprints/7/conversations');

beforeEach(() => {
  resetBlueprints();
});

describe('startBlueprint', () => {
  it('answers the conversation, and notes the use', async () => {
    blueprints.put(blueprintOf());
    const bodies: unknown[] = [];
    server.use(
      http.post(start, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ ...conversationOf({ id: 'c9' }), missingDataSources: 0 });
      }),
    );
    expect(await startBlueprint(7, { Region: 'North' })).toEqual({
      conversation: conversationOf({ id: 'c9' }),
    });
    expect(bodies).toEqual([{ inputs: { Region: 'North' } }]);
    expect(blueprints.state.byId[7]?.lastUsedAt).toBe(conversationOf().createdAt);
  });

  it('says that connectors were left out', async () => {
    const told = vi.spyOn(notify, 'info').mockReturnValue();
    server.use(http.post(start, () => HttpResponse.json({ ...conversationOf(), missingDataSources: 2 })));
    await startBlueprint(7, {});
    expect(told).toHaveBeenCalledExactlyOnceWith(
      'Some connectors of the blueprint are not available to you.',
    );
  });

  it('keeps its key until it has succeeded', async () => {
    const keys: (string | null)[] = [];
    let isBroken = true;
    server.use(
      http.post(start, ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return isBroken ? problem(503, 'busy', 'Busy.') : HttpResponse.json(conversationOf());
      }),
    );
    await startBlueprint(7, { Region: 'North' });
    isBroken = false;
    await startBlueprint(7, { Region: 'North' });
    await startBlueprint(7, { Region: 'North' });
    // The first start was tried twice; the one after the success is a new one.
    expect(keys[0]).not.toBeNull();
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('says which input is wrong', async () => {
    const fields = [{ field: 'inputs.Year', message: 'Please enter Year.' }];
    server.use(http.post(start, () => problem(422, 'invalid', 'Please enter Year.', fields)));
    expect(await startBlueprint(7, {})).toEqual({
      failure: { message: 'Please enter Year.', fields },
    });
  });

  it('says everything else for the whole form', async () => {
    server.use(http.post(start, () => problem(404, 'not-found', 'Blueprint not found.')));
    expect(await startBlueprint(7, {})).toEqual({
      failure: { message: 'Blueprint not found.', fields: [] },
    });
  });
});
