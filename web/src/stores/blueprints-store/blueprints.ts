import { proxy } from 'valtio';
import { getBlueprint, listBlueprints, listUseCaseCategories } from '@/api/blueprints';
import { atSignOut } from '@/lib/at-sign-out';
import { blueprintQuery, type BlueprintQuery } from '@/lib/blueprint';
import { Collection, listKey } from '@/lib/collection';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Blueprint, UseCaseCategory } from '@/lib/wire';

const pageSize = 60;

/** Whether a blueprint belongs to the list of a query, by the server's rules. */
function belongs(
  blueprint: Blueprint,
  { library, scope, category, project, search }: BlueprintQuery,
): boolean {
  const { name, description, isFavorite, isLibrary, permission, lastUsedAt, useCaseCategories } = blueprint;
  const owned = permission === 'owner';
  const scopes: Record<BlueprintQuery['scope'], boolean> = {
    all: true,
    favorite: isFavorite,
    organization: isLibrary,
    owned,
    shared: !owned && !isLibrary,
    recent: lastUsedAt !== null,
  };
  return (
    !blueprint.isArchived &&
    scopes[scope] &&
    (library === 'all' || isLibrary === (library === 'library')) &&
    (category === null || useCaseCategories.some(({ id }) => id === category)) &&
    (project === null || blueprint.projectLabels.some(({ id }) => id === project)) &&
    `${name}\n${description}`.toLowerCase().includes(search.toLowerCase())
  );
}

/** The blueprints that this person may see. Lists leave out the texts of the steps. */
export const blueprints = new Collection<Blueprint, BlueprintQuery>({
  list: (query, page) => listBlueprints(query, page, pageSize),
  get: (id) => getBlueprint(Number(id)),
  belongs,
});

/** Facts about all of them. */
interface BlueprintFacts {
  categories: UseCaseCategory[];
  /** The number of blueprints that the person may start; `null` until it is known. */
  total: number | null;
}

const initial = (): BlueprintFacts => ({ categories: [], total: null });

const facts = proxy<BlueprintFacts>(initial());

export const blueprintFacts: DeepReadonly<BlueprintFacts> = facts;

/** A request from before a reset belongs to another user. */
let epoch = 0;

/** The total was requested, and no blueprint was added or removed here since. */
let counted = false;

/**
 * Counts the blueprints that the person may start: from the list of all if it is loaded, else with one small page,
 * once.
 */
export async function countBlueprints(): Promise<void> {
  const held = blueprints.state.lists[listKey(blueprintQuery())];
  if (held?.status === 'fetched' && !held.stale) {
    facts.total = held.count;
    counted = true;
  }
  if (counted) return;
  const mine = epoch;
  counted = true;
  try {
    const { pagination } = await listBlueprints(blueprintQuery(), 1, 1);
    if (mine === epoch) facts.total = pagination.count;
  } catch {
    // The number is not shown; the error list shows the reason.
    if (mine === epoch) counted = false;
  }
}

/** A blueprint was added or removed: they are counted again when the number is shown next. */
export function blueprintsChanged(): void {
  counted = false;
}

/** Loads the categories of the library. */
export async function loadUseCaseCategories(): Promise<void> {
  const mine = epoch;
  try {
    const { results } = await listUseCaseCategories();
    if (mine === epoch) facts.categories = results;
  } catch {
    // The library is shown without its filter; the error list shows the reason.
  }
}

export function resetBlueprints(): void {
  epoch++;
  counted = false;
  blueprints.reset();
  Object.assign(facts, initial());
}

atSignOut(resetBlueprints);
