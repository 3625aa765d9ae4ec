import { beforeEach, describe, expect, it, vi } from 'vitest';
import { notify } from '@/lib/notify';
import { blueprintOf } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, problem, server } from '@/testing/server';
import { blueprintFacts, blueprints, countBlueprints, resetBlueprints } from './blueprints';
import { duplicateBlueprint, removeBlueprint, setBlueprintArchived, toggleBlueprintFavorite } from './change';

const nothing = () => new HttpResponse(null, { status: 204 });
const broken = () => problem(500, 'I500', 'Broken.');
const one = (path = '') => api(`discourse/blueprints/7${path}`);

/** The error messages and the success messages. */
const said = { error: vi.fn(), success: vi.fn() };

beforeEach(() => {
  resetBlueprints();
  blueprints.put(blueprintOf());
  said.error = vi.spyOn(notify, 'error').mockReturnValue();
  said.success = vi.spyOn(notify, 'success').mockReturnValue();
});

describe('how many there are', () => {
  it.each([
    ['archived', () => setBlueprintArchived(7, true)],
    ['deleted', () => removeBlueprint(7)],
    ['copied', () => duplicateBlueprint(7, 'Mine')],
  ])('is asked again after one was %s', async (_, change) => {
    let total = 3;
    const counted = () =>
      HttpResponse.json({ results: [], pagination: { count: total, next: null, previous: null } });
    server.use(
      http.get(api('discourse/blueprints'), counted),
      http.get(one(), () => HttpResponse.json(blueprintOf({ isArchived: true }))),
      http.post(one('/archive'), nothing),
      http.delete(one(), nothing),
      http.post(one('/copy'), () => HttpResponse.json(blueprintOf({ id: 9 }))),
    );
    await countBlueprints();
    total = 4;
    await countBlueprints();
    expect(blueprintFacts.total).toBe(3);
    await change();
    await countBlueprints();
    expect(blueprintFacts.total).toBe(4);
  });
});

describe('toggleBlueprintFavorite', () => {
  it('flips at once, and back when the server refuses', async () => {
    server.use(http.put(one('/favorite'), broken));
    const flipping = toggleBlueprintFavorite(7, true);
    expect(blueprints.state.byId[7]?.isFavorite).toBe(true);
    await flipping;
    expect(blueprints.state.byId[7]?.isFavorite).toBe(false);
    expect(said.error).toHaveBeenCalledExactlyOnceWith('Failed to favorite blueprint');
  });
});

describe('setBlueprintArchived', () => {
  it('archives, and restores', async () => {
    const bodies: unknown[] = [];
    server.use(
      http.post(one('/archive'), async ({ request }) => {
        bodies.push(await request.json());
        return nothing();
      }),
      http.get(one(), () => HttpResponse.json(blueprintOf({ isArchived: true }))),
    );
    expect(await setBlueprintArchived(7, true)).toBe(true);
    expect(blueprints.state.byId[7]?.isArchived).toBe(true);
    expect(await setBlueprintArchived(7, false)).toBe(true);
    expect(bodies).toEqual([{ isArchived: true }, { isArchived: false }]);
    expect(said.success.mock.calls).toEqual([
      ['Blueprint archived successfully'],
      ['Blueprint restored successfully'],
    ]);
  });

  it('says why it failed', async () => {
    server.use(http.post(one('/archive'), broken));
    expect(await setBlueprintArchived(7, true)).toBe(false);
    expect(said.error).toHaveBeenCalledExactlyOnceWith('Failed to archive blueprint: Broken.');
    expect(blueprints.state.byId[7]?.isArchived).toBe(false);
  });
});

describe('removeBlueprint', () => {
  it('takes it out of everything', async () => {
    server.use(http.delete(one(), nothing));
    expect(await removeBlueprint(7)).toBe(true);
    expect(blueprints.state.byId[7]).toBeUndefined();
  });

  it('keeps it when the server refuses', async () => {
    server.use(http.delete(one(), broken));
    expect(await removeBlueprint(7)).toBe(false);
    expect(blueprints.state.byId[7]).toBeDefined();
    expect(said.error).toHaveBeenCalledExactlyOnceWith('Failed to delete blueprint: Broken.');
  });
});

describe('duplicateBlueprint', () => {
  it('answers the copy, and asks again with the same key after a failure', async () => {
    const keys: (string | null)[] = [];
    let works = false;
    server.use(
      http.post(one('/copy'), async ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        expect(await request.json()).toEqual({ id: 7, name: 'Mine' });
        return works ? HttpResponse.json(blueprintOf({ id: 9, name: 'Mine' })) : broken();
      }),
    );
    expect(await duplicateBlueprint(7, 'Mine')).toBeNull();
    expect(said.error).toHaveBeenCalledExactlyOnceWith('Failed to copy blueprint: Broken.');
    works = true;
    expect(await duplicateBlueprint(7, 'Mine')).toBe(9);
    expect(blueprints.state.byId[9]?.name).toBe('Mine');
    expect(await duplicateBlueprint(7, 'Mine')).toBe(9);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });
});
