import { proxy } from 'valtio';
import { getDefaultAnalyst, listAnalysts } from '@/api/analysts';
import type { Analyst } from '@/lib/wire';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';

/** The agents that may answer. */
interface AnalystsState {
  status: LoadStatus;
  analysts: Analyst[];
  defaultId: number | null;
}

const initial = (): AnalystsState => ({ status: 'initial', analysts: [], defaultId: null });

const state = proxy<AnalystsState>(initial());

export const analystsState: DeepReadonly<AnalystsState> = state;

/** Loads the enabled agents and which of them answers when none is chosen. */
export async function loadAnalysts(): Promise<void> {
  state.status = state.status === 'fetched' ? 'updating' : 'fetching';
  try {
    const [page, standard] = await Promise.all([listAnalysts(), getDefaultAnalyst()]);
    state.analysts = page.results;
    state.defaultId = standard.id;
    state.status = 'fetched';
  } catch (error) {
    state.status = 'failed';
    throw error;
  }
}

export function resetAnalysts(): void {
  Object.assign(state, initial());
}
