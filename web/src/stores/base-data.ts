import { proxy } from 'valtio';
import { atSignOut } from '@/lib/at-sign-out';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import { loadAnalysts } from './analysts-store';
import { loadDataSources } from './datasources-store/sources';

/** The data that every guarded page can rely on. */
interface BaseDataState {
  status: LoadStatus;
}

const state = proxy<BaseDataState>({ status: 'initial' });

export const baseDataState: DeepReadonly<BaseDataState> = state;

/** Loads it once; a failure can be tried again. */
export async function loadBaseData(): Promise<void> {
  if (state.status === 'fetching' || state.status === 'fetched') return;
  state.status = 'fetching';
  const results = await Promise.allSettled([loadAnalysts(), loadDataSources()]);
  state.status = results.every((result) => result.status === 'fulfilled') ? 'fetched' : 'failed';
}

export function resetBaseData(): void {
  state.status = 'initial';
}

atSignOut(resetBaseData);
