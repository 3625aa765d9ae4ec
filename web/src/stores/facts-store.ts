import { proxy } from 'valtio';
import { getFacts } from '@/api/datasources';
import { atSignOut } from '@/lib/at-sign-out';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Facts } from '@/lib/wire';

interface FactsState {
  /** What was measured of the connectors whose pages were opened. */
  byId: Record<number, Facts>;
}

const state = proxy<FactsState>({ byId: {} });

export const factsState: DeepReadonly<FactsState> = state;

/**
 * Loads what was measured of a connector. After a failure the page shows what it had: the facts are only a help, so
 * there is no error message.
 */
export async function loadFacts(id: number): Promise<void> {
  try {
    const facts = await getFacts(id);
    state.byId[id] = facts;
  } catch {
    // The next visit tries again.
  }
}

export function resetFacts(): void {
  state.byId = {};
}

atSignOut(resetFacts);
