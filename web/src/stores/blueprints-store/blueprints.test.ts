import { beforeEach, describe, expect, it } from 'vitest';
import { blueprintQuery } from '@/lib/blueprint';
import { listKey } from '@/lib/collection';
import { hold } from '@/testing/hold';
import { blueprintOf } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, page, server } from '@/testing/server';
import {
  blueprintFacts,
  blueprints,
  blueprintsChanged,
  countBlueprints,
  loadUseCaseCategories,
  resetBlueprints,
} from './blueprints';

const list = api('discourse/blueprints');

const ids = (changes: Parameters<typeof blueprintQuery>[0]) =>
  blueprints.state.lists[listKey(blueprintQuery(changes))]?.ids;

beforeEach(resetBlueprints);

describe('lists', () => {
  it('ask for what they narrow by', async () => {
    const asked: Record<string, string>[] = [];
    server.use(
      http.get(list, ({ request }) => {
        asked.push(Object.fromEntries(new URL(request.url).searchParams));
        return page([blueprintOf()]);
      }),
    );
    await blueprints.load(blueprintQuery({ library: 'library', category: 3, search: 'deep' }));
    await blueprints.load(blueprintQuery({ scope: 'organization' }));
    expect(asked).toEqual([
      {
        page: '1',
        page_size: '60',
        library_scope: 'library',
        scope: 'all',
        use_case_category: '3',
        search: 'deep',
      },
      { page: '1', page_size: '60', library_scope: 'all', scope: 'organization' },
    ]);
  });

  it('lose what no longer belongs to them', async () => {
    const own = blueprintOf({
      id: 8,
      name: 'Weekly',
      permission: 'owner',
      isLibrary: false,
      isFavorite: true,
    });
    server.use(http.get(list, () => page([own])));
    const narrowed = [
      {},
      { scope: 'favorite' },
      { scope: 'owned' },
      { library: 'exclude' },
      { search: 'WEEK' },
    ] as const;
    for (const changes of narrowed) await blueprints.load(blueprintQuery(changes));
    blueprints.patch(8, { isFavorite: false });
    expect(narrowed.map(ids)).toEqual([[8], [], [8], [8], [8]]);
    blueprints.patch(8, { name: 'Monthly' });
    expect(narrowed.map(ids)).toEqual([[8], [], [8], [8], []]);
    blueprints.patch(8, { isArchived: true });
    expect(narrowed.map(ids)).toEqual([[], [], [], [], []]);
  });
});

describe('facts', () => {
  it('count by one small page, once, until there is one more or less, or by the list of all', async () => {
    const asked: (string | null)[] = [];
    let count = 42;
    server.use(
      http.get(list, ({ request }) => {
        asked.push(new URL(request.url).searchParams.get('page_size'));
        return HttpResponse.json({
          results: [blueprintOf()],
          pagination: { count, next: '/next', previous: null },
        });
      }),
    );
    await countBlueprints();
    await countBlueprints();
    expect(blueprintFacts.total).toBe(42);
    expect(asked).toEqual(['1']);
    count = 43;
    blueprintsChanged();
    await countBlueprints();
    expect(blueprintFacts.total).toBe(43);
    expect(asked).toEqual(['1', '1']);
    count = 44;
    await blueprints.load(blueprintQuery());
    await countBlueprints();
    expect(blueprintFacts.total).toBe(44);
    expect(asked).toEqual(['1', '1', '60']);
  });

  it('count again after a count that has failed', async () => {
    server.use(http.get(list, () => HttpResponse.error()));
    await countBlueprints();
    expect(blueprintFacts.total).toBeNull();
    server.use(http.get(list, () => page([blueprintOf()])));
    await countBlueprints();
    expect(blueprintFacts.total).toBe(1);
  });

  it('load the categories, and none of the person before', async () => {
    const categories = api('discourse/blueprints/use-case-categories');
    server.use(http.get(categories, () => page([{ id: 1, name: 'Sales' }])));
    await loadUseCaseCategories();
    expect(blueprintFacts.categories).toEqual([{ id: 1, name: 'Sales' }]);
    const { held, release } = hold();
    server.use(
      http.get(categories, async () => {
        await held;
        return page([{ id: 2, name: 'Secret' }]);
      }),
    );
    const late = loadUseCaseCategories();
    resetBlueprints();
    release();
    await late;
    expect(blueprintFacts.categories).toEqual([]);
  });
});
