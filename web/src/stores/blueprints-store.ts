import { useState } from 'react';
import { proxy, useSnapshot } from 'valtio';
import {
  createBlueprintConversation,
  getBlueprint,
  listBlueprints,
  listUseCaseCategories,
  setBlueprintFavorite,
} from '@/api/blueprints';
import { ApiError } from '@/api/errors';
import { blueprintQuery, type BlueprintQuery } from '@/lib/blueprint';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import { notify } from '@/lib/notify';
import { uuidv7 } from '@/lib/uuid';
import type { Blueprint, Conversation, UseCaseCategory } from '@/lib/wire';

/** Where a list of blueprints is shown; each place has a query of its own. */
export type BlueprintPlace = 'home-own' | 'home-library' | 'blueprints' | 'library';

/** One place's list. */
interface BlueprintList {
  status: LoadStatus;
  query: BlueprintQuery;
  ids: number[];
  /** How many there are in all, loaded or not. */
  count: number;
  /** The page that Show more fetches next; `null` at the end. */
  nextPage: number | null;
}

/** The blueprints that this person may start, as far as they are shown. */
interface BlueprintsState {
  byId: Record<number, Blueprint>;
  lists: Record<BlueprintPlace, BlueprintList>;
  categories: UseCaseCategory[];
  /** How many the person may start; `null` until that is known. */
  total: number | null;
}

const pageSize = 60;

const emptyList = (): BlueprintList => ({
  status: 'initial',
  query: blueprintQuery(),
  ids: [],
  count: 0,
  nextPage: null,
});

const initial = (): BlueprintsState => ({
  byId: {},
  lists: {
    'home-own': emptyList(),
    'home-library': emptyList(),
    blueprints: emptyList(),
    library: emptyList(),
  },
  categories: [],
  total: null,
});

const state = proxy<BlueprintsState>(initial());

export const blueprintsState: DeepReadonly<BlueprintsState> = state;

/** The newest question of each place: an answer that another question has overtaken is dropped. */
const asked: Record<BlueprintPlace, number> = { 'home-own': 0, 'home-library': 0, blueprints: 0, library: 0 };

async function loadPage(place: BlueprintPlace, query: BlueprintQuery, page: number): Promise<void> {
  const question = ++asked[place];
  try {
    const { results, pagination } = await listBlueprints(query, page, pageSize);
    if (question !== asked[place]) return;
    for (const blueprint of results) state.byId[blueprint.id] = blueprint;
    const ids = results.map((blueprint) => blueprint.id);
    const list = state.lists[place];
    Object.assign(list, {
      status: 'fetched',
      ids: page === 1 ? ids : [...new Set([...list.ids, ...ids])],
      count: pagination.count,
      nextPage: pagination.next === null ? null : page + 1,
    });
  } catch {
    // The error list says why; the place itself offers another try.
    if (question === asked[place]) state.lists[place].status = 'failed';
  }
}

/**
 * Loads a place's list from its first page. What is shown already stays until the answer comes if
 * only the search has changed; another segment must not show the entries of the one before.
 */
export async function loadBlueprints(place: BlueprintPlace, query: BlueprintQuery): Promise<void> {
  const list = state.lists[place];
  const { library, scope, category } = list.query;
  const same = library === query.library && scope === query.scope && category === query.category;
  if (same && list.status !== 'initial' && list.status !== 'failed') list.status = 'updating';
  else Object.assign(list, emptyList(), { status: 'fetching' });
  list.query = { ...query };
  await loadPage(place, query, 1);
}

/** Fetches the next page of a place's list. */
export async function loadMoreBlueprints(place: BlueprintPlace): Promise<void> {
  const list = state.lists[place];
  if (list.nextPage === null || list.status !== 'fetched') return;
  list.status = 'updating';
  await loadPage(place, { ...list.query }, list.nextPage);
}

/** Fetches one blueprint that an address names, if it is not held. Answers whether it is there. */
export async function loadBlueprint(id: number): Promise<boolean> {
  if (state.byId[id]) return true;
  try {
    state.byId[id] = await getBlueprint(id);
    return true;
  } catch (error) {
    const gone = error instanceof ApiError && error.status === 404;
    notify.error(gone ? `Blueprint ${id} not found` : 'Failed to fetch blueprint');
    return false;
  }
}

/** Counts what the person may start. */
export async function countBlueprints(): Promise<void> {
  try {
    state.total = (await listBlueprints(blueprintQuery(), 1, 1)).pagination.count;
  } catch {
    // The tag stays away; the error list says why.
  }
}

/** Loads the categories of the library. */
export async function loadUseCaseCategories(): Promise<void> {
  try {
    state.categories = (await listUseCaseCategories()).results;
  } catch {
    // The library is shown without its filter; the error list says why.
  }
}

/** Flips the favorite flag at once, and back if the server refuses. */
export async function toggleBlueprintFavorite(id: number, isFavorite: boolean): Promise<void> {
  const flip = (to: boolean): void => {
    const blueprint = state.byId[id];
    if (blueprint) blueprint.isFavorite = to;
  };
  flip(isFavorite);
  try {
    await setBlueprintFavorite(id, isFavorite);
  } catch {
    flip(!isFavorite);
    notify.error('Failed to favorite blueprint');
  }
}

/** The key of the last start that failed: pressing Start again must not make a second conversation. */
const lastStart: { input: string; key: string } = { input: '', key: '' };

const inputField = 'inputs.';

/** What came of a start: the conversation, or messages by the names of inputs. */
export type BlueprintStart = { conversation: Conversation } | { fields: Record<string, string> };

/** Starts a conversation with a blueprint. What is not about one input is said as a toast. */
export async function startBlueprint(
  id: number,
  inputs: Readonly<Record<string, string>>,
): Promise<BlueprintStart> {
  const input = JSON.stringify([id, inputs]);
  if (lastStart.input !== input) Object.assign(lastStart, { input, key: uuidv7() });
  try {
    const { missingDataSources, ...conversation } = await createBlueprintConversation(
      id,
      inputs,
      lastStart.key,
    );
    lastStart.input = '';
    if (missingDataSources > 0) notify.info('Some connectors of the blueprint are not available to you.');
    return { conversation };
  } catch (error) {
    const problems = error instanceof ApiError ? error.fields : [];
    const fields = problems.filter(({ field }) => field.startsWith(inputField));
    if (fields.length === 0) {
      const said = error instanceof ApiError ? error.message : '';
      notify.error(said === '' ? 'Failed to start blueprint' : said);
    }
    return {
      fields: Object.fromEntries(
        fields.map(({ field, message }) => [field.slice(inputField.length), message]),
      ),
    };
  }
}

/** Wires a start dialog to this store: `dialog` is there while a blueprint is being started. */
export function useBlueprintStart() {
  const { byId } = useSnapshot(state);
  const [id, setId] = useState<number | null>(null);
  const blueprint = id === null ? undefined : byId[id];
  const dialog = blueprint && { blueprint, onStart: startBlueprint, onClose: () => setId(null) };
  return { start: setId, dialog };
}

export function resetBlueprints(): void {
  for (const place of Object.keys(asked) as BlueprintPlace[]) asked[place]++;
  Object.assign(state, initial());
}
