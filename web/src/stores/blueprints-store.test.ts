import { beforeEach, describe, expect, it, vi } from 'vitest';
import { blueprintQuery } from '@/lib/blueprint';
import { notify } from '@/lib/notify';
import { blueprintOf, conversationOf } from '@/testing/fixtures/wire';
import { api, http, HttpResponse, page, problem, server } from '@/testing/server';
import {
  blueprintsState,
  countBlueprints,
  loadBlueprints,
  loadMoreBlueprints,
  loadUseCaseCategories,
  resetBlueprints,
  startBlueprint,
  toggleBlueprintFavorite,
} from './blueprints-store';

const list = api('discourse/blueprints');
const first = blueprintOf({ id: 1, name: 'First' });
const second = blueprintOf({ id: 2, name: 'Second' });
const shown = () => blueprintsState.lists.blueprints;

/** Answers the list, and keeps what was asked. */
function answerList(answer: (query: URLSearchParams) => Response | Promise<Response>): URLSearchParams[] {
  const asked: URLSearchParams[] = [];
  server.use(
    http.get(list, ({ request }) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams);
      return answer(searchParams);
    }),
  );
  return asked;
}

beforeEach(() => {
  resetBlueprints();
  vi.restoreAllMocks();
});

describe('lists', () => {
  it('AskForWhatThePlaceNarrowsBy', async () => {
    const asked = answerList(() => page([first]));
    await loadBlueprints('library', blueprintQuery({ library: 'library', category: 3, search: 'deep' }));
    expect(Object.fromEntries(asked[0]!)).toEqual({
      page: '1',
      page_size: '60',
      library_scope: 'library',
      scope: 'all',
      use_case_category: '3',
      search: 'deep',
    });
    expect(blueprintsState.lists.library).toMatchObject({ status: 'fetched', ids: [1], count: 1 });
    expect(shown().status).toBe('initial');
  });

  it('ShowMoreUntilTheEnd', async () => {
    answerList((query) => (query.get('page') === '1' ? page([first], '/next') : page([second])));
    await loadBlueprints('blueprints', blueprintQuery());
    await loadMoreBlueprints('blueprints');
    await loadMoreBlueprints('blueprints');
    expect(shown()).toMatchObject({ ids: [1, 2], nextPage: null });
  });

  it('KeepWhatIsShownWhileASearchIsAsked, and clearItForAnotherSegment', async () => {
    answerList(() => page([first]));
    await loadBlueprints('blueprints', blueprintQuery());
    const searching = loadBlueprints('blueprints', blueprintQuery({ search: 'x' }));
    expect(shown()).toMatchObject({ status: 'updating', ids: [1] });
    await searching;
    const changing = loadBlueprints('blueprints', blueprintQuery({ scope: 'favorite' }));
    expect(shown()).toMatchObject({ status: 'fetching', ids: [] });
    await changing;
  });

  it('DropAnAnswerThatAnotherQuestionHasOvertaken', async () => {
    const held: { release: () => void } = { release: () => undefined };
    const slow = new Promise<void>((resolve) => {
      held.release = resolve;
    });
    answerList(async (query) => {
      if (query.get('search') !== 'a') return page([second]);
      await slow;
      return page([first]);
    });
    const old = loadBlueprints('blueprints', blueprintQuery({ search: 'a' }));
    await loadBlueprints('blueprints', blueprintQuery({ search: 'ab' }));
    held.release();
    await old;
    expect(shown().ids).toEqual([2]);
  });

  it('SayThatTheyFailed', async () => {
    answerList(() => problem(500, 'I500', 'no'));
    await loadBlueprints('blueprints', blueprintQuery());
    expect(shown().status).toBe('failed');
  });

  it('AreCountedByOneSmallPage', async () => {
    const asked = answerList(() =>
      HttpResponse.json({ results: [first], pagination: { count: 42, next: '/next', previous: null } }),
    );
    await countBlueprints();
    expect(blueprintsState.total).toBe(42);
    expect(asked[0]!.get('page_size')).toBe('1');
  });

  it('BringTheCategories', async () => {
    server.use(
      http.get(api('discourse/blueprints/use-case-categories'), () => page([{ id: 1, name: 'Sales' }])),
    );
    await loadUseCaseCategories();
    expect(blueprintsState.categories).toEqual([{ id: 1, name: 'Sales' }]);
  });
});

describe('toggleBlueprintFavorite', () => {
  it('FlipsAtOnce, and backWhenTheServerRefuses', async () => {
    const toast = vi.spyOn(notify, 'error').mockReturnValue();
    answerList(() => page([first]));
    await loadBlueprints('blueprints', blueprintQuery());
    server.use(http.put(api('discourse/blueprints/1/favorite'), () => problem(500, 'I500', 'no')));
    const flipping = toggleBlueprintFavorite(1, true);
    expect(blueprintsState.byId[1]?.isFavorite).toBe(true);
    await flipping;
    expect(blueprintsState.byId[1]?.isFavorite).toBe(false);
    expect(toast).toHaveBeenCalledExactlyOnceWith('Failed to favorite blueprint');
  });
});

describe('startBlueprint', () => {
  const start = api('discourse/blueprints/7/conversations');

  it('AnswersTheConversation', async () => {
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
  });

  it('KeepsItsKeyUntilItHasSucceeded', async () => {
    vi.spyOn(notify, 'error').mockReturnValue();
    const keys: (string | null)[] = [];
    let broken = true;
    server.use(
      http.post(start, ({ request }) => {
        keys.push(request.headers.get('Idempotency-Key'));
        return broken ? problem(503, 'busy', 'Busy.') : HttpResponse.json(conversationOf());
      }),
    );
    await startBlueprint(7, { Region: 'North' });
    broken = false;
    await startBlueprint(7, { Region: 'North' });
    await startBlueprint(7, { Region: 'North' });
    // The first start was tried twice; the one after the success is a new one.
    expect(keys[0]).not.toBeNull();
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it('SaysWhichInputIsWrong', async () => {
    const toast = vi.spyOn(notify, 'error').mockReturnValue();
    const fields = [{ field: 'inputs.Year', message: 'Please enter Year.' }];
    server.use(http.post(start, () => problem(422, 'invalid', 'Please enter Year.', fields)));
    expect(await startBlueprint(7, {})).toEqual({ fields: { Year: 'Please enter Year.' } });
    expect(toast).not.toHaveBeenCalled();
  });

  it('SaysEverythingElseAsAToast', async () => {
    const toast = vi.spyOn(notify, 'error').mockReturnValue();
    server.use(http.post(start, () => problem(404, 'not-found', 'Blueprint not found.')));
    expect(await startBlueprint(7, {})).toEqual({ fields: {} });
    expect(toast).toHaveBeenCalledExactlyOnceWith('Blueprint not found.');
  });
});
