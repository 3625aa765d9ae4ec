import { proxy } from 'valtio';
import { getAnalyst, getDefaultAnalyst, listAnalysts } from '@/api/analysts';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection, listKey } from '@/lib/collection';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Analyst } from '@/lib/wire';

/** The agents that can answer: the enabled ones. */
export const analysts = new Collection<Analyst>({
  list: () => listAnalysts(),
  get: (id) => getAnalyst(Number(id)),
});

interface DefaultAnalyst {
  /** Which of them answers when none is chosen; `null` until that is known. */
  id: number | null;
}

const state = proxy<DefaultAnalyst>({ id: null });

export const defaultAnalyst: DeepReadonly<DefaultAnalyst> = state;

/** Counts resets: an answer to a request from before a reset belongs to another user. */
const epoch = { count: 0 };

/**
 * Loads the enabled agents and which of them answers when none is chosen; fails if one of the calls does. The list
 * begins with that agent, so that there is a second call only if it does not.
 */
export async function loadAnalysts(): Promise<void> {
  const mine = epoch.count;
  await analysts.load(undefined);
  if (mine !== epoch.count) return;
  const listed = Object.values(analysts.state.byId).find(({ isDefault }) => isDefault);
  const { id } = listed ?? (await getDefaultAnalyst());
  if (mine !== epoch.count) return;
  state.id = id;
  if (analysts.state.lists[listKey(undefined)]?.status === 'failed') {
    throw new Error('The list of agents could not be loaded.');
  }
}

/**
 * Whether an agent that an address names cannot be used: it was deleted or switched off, or the person may not use
 * it. If that cannot be determined, it counts as usable, and the server reports the error when it is asked.
 */
export async function isAnalystGone(id: number): Promise<boolean> {
  if (analysts.state.byId[id]?.isEnabled === true) return false;
  const list = analysts.state.lists[listKey(undefined)];
  // A completely loaded list is sufficient to decide.
  if (list?.status === 'fetched' && !list.more) return true;
  await analysts.fetch(id);
  const { status, entity } = analysts.state.details[id] ?? {};
  // Superusers and owners also get agents that are switched off.
  return status === 'gone' || entity?.isEnabled === false;
}

function resetAnalysts(): void {
  epoch.count++;
  analysts.reset();
  state.id = null;
}

atSignOut(resetAnalysts);
