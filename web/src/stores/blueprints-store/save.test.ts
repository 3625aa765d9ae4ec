import { beforeEach, describe, expect, it, vi } from 'vitest';
import { blueprintValues, newBlueprint } from '@/lib/blueprint-form';
import { notify } from '@/lib/notify';
import { blueprintOf } from '@/testing/fixtures/wire';
import { hold } from '@/testing/hold';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { blueprints, resetBlueprints } from './blueprints';
import { blueprintFromConversation } from './from-conversation';
import { latestBlueprint, saveBlueprint, writtenMessage } from './save';

const all = api('discourse/blueprints');
const one = api('discourse/blueprints/7');
const conversation = '0198aaaa-0000-7000-8000-0000000000c1';

const said = { progress: vi.fn(), resolved: vi.fn(), dismiss: vi.fn(), error: vi.fn(), success: vi.fn() };

beforeEach(() => {
  resetBlueprints();
  said.progress = vi.spyOn(notify, 'progress').mockReturnValue();
  said.resolved = vi.spyOn(notify, 'resolved').mockReturnValue();
  said.dismiss = vi.spyOn(notify, 'dismiss').mockReturnValue();
  said.error = vi.spyOn(notify, 'error').mockReturnValue();
  said.success = vi.spyOn(notify, 'success').mockReturnValue();
});

describe('saveBlueprint', () => {
  it('makes a new one with its steps, and says so', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post(all, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json(blueprintOf({ id: 9 }));
      }),
    );
    const saved = await saveBlueprint({ ...newBlueprint('Step 1'), name: 'Weekly' }, null);
    expect(saved).toMatchObject({ blueprint: { id: 9 } });
    expect(bodies).toMatchObject([{ name: 'Weekly', steps: [{ name: 'Step 1', order: 1 }] }]);
    expect(said.progress).toHaveBeenCalledWith(expect.anything(), 'Associating steps to blueprint...');
    expect(said.resolved).toHaveBeenCalledWith(expect.anything(), 'Blueprint created successfully');
    expect(blueprints.state.details[9]?.status).toBe('ready');
  });

  it('changes the one that the form was filled from, and names the steps that left', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.put(one, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json(blueprintOf({ version: 2 }));
      }),
    );
    const base = blueprintOf();
    const values = blueprintValues(base);
    values.steps.splice(1, 1);
    await saveBlueprint(values, base);
    expect(bodies).toMatchObject([{ version: 1, removedSteps: [2] }]);
    expect(said.progress).toHaveBeenCalledWith(expect.anything(), 'Updating steps to blueprint...');
    expect(said.resolved).toHaveBeenCalledWith(expect.anything(), 'Blueprint updated successfully');
  });

  it('answers what is wrong by field', async () => {
    const fields = [{ field: 'steps[0].name', message: 'Please enter step name.' }];
    server.use(http.post(all, () => problem(422, 'invalid', 'Please enter step name.', fields)));
    const saved = await saveBlueprint(newBlueprint(''), null);
    expect(saved).toEqual({ failure: { message: 'Please enter step name.', fields }, isConflict: false });
    expect(said.dismiss).toHaveBeenCalledOnce();
    expect(said.resolved).not.toHaveBeenCalled();
  });

  it('distinguishes a conflict from other failures', async () => {
    server.use(http.put(one, () => problem(409, 'conflict', 'Somebody else changed this meanwhile.')));
    const base = blueprintOf();
    expect(await saveBlueprint(blueprintValues(base), base)).toMatchObject({ isConflict: true });
  });
});

describe('latestBlueprint', () => {
  it('answers what the server has now, or says why not', async () => {
    server.use(http.get(one, () => HttpResponse.json(blueprintOf({ version: 6 }))));
    expect(await latestBlueprint(7)).toMatchObject({ version: 6 });
    server.use(http.get(one, () => problem(404, 'not-found', 'Blueprint not found.')));
    expect(await latestBlueprint(7)).toBeNull();
    expect(said.error).toHaveBeenCalledExactlyOnceWith('Failed to fetch blueprint: Blueprint not found.');
  });
});

describe('writtenMessage', () => {
  const write = api('discourse/blueprints/initial-message');

  it('answers what the server has written of the form', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post(write, async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ initialMessage: 'Please work through it.' });
      }),
    );
    const values = { ...newBlueprint('Step 1'), name: 'Weekly' };
    expect(await writtenMessage(values)).toBe('Please work through it.');
    expect(bodies).toMatchObject([{ name: 'Weekly', steps: [{ name: 'Step 1' }] }]);
  });

  it('answers nothing when it failed', async () => {
    server.use(http.post(write, () => problem(500, 'I500', 'Broken.')));
    expect(await writtenMessage(newBlueprint('Step 1'))).toBeNull();
  });
});

describe('blueprintFromConversation', () => {
  it('answers the blueprint, and makes no second one of the same state after a failure', async () => {
    const keys: (string | null)[] = [];
    let works = false;
    server.use(
      http.post(all, async ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        expect(await request.json()).toEqual({ fromConversation: conversation });
        return works
          ? HttpResponse.json(blueprintOf({ id: 9 }))
          : problem(422, 'invalid', 'Nothing was asked.');
      }),
    );
    const { signal } = new AbortController();
    expect(await blueprintFromConversation(conversation, 'm3', signal)).toBeNull();
    expect(said.error).toHaveBeenCalledExactlyOnceWith('Nothing was asked.');
    works = true;
    expect(await blueprintFromConversation(conversation, 'm3', signal)).toBe(9);
    expect(said.success).toHaveBeenCalledExactlyOnceWith('Blueprint created successfully');
    expect(new Set(keys).size).toBe(1);
    await blueprintFromConversation(conversation, 'm4', signal);
    expect(new Set(keys).size).toBe(2);
  });

  it('says nothing when it is cancelled', async () => {
    const { held, release } = hold();
    const asked = vi.fn();
    server.use(
      http.post(all, async () => {
        asked();
        await held;
        return HttpResponse.json(blueprintOf({ id: 9 }));
      }),
    );
    const controller = new AbortController();
    const made = blueprintFromConversation(conversation, 'm3', controller.signal);
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    controller.abort();
    expect(await made).toBeNull();
    release();
    expect(said.error).not.toHaveBeenCalled();
    expect(said.success).not.toHaveBeenCalled();
  });
});
