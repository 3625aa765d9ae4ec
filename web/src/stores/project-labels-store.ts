import { proxy } from 'valtio';
import { listProjectLabels } from '@/api/project-labels';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import type { ProjectLabel } from '@/lib/wire';

/** The projects of the organisation; everybody sees all of them. */
interface ProjectLabelsState {
  status: LoadStatus;
  labels: ProjectLabel[];
}

const initial = (): ProjectLabelsState => ({ status: 'initial', labels: [] });

const state = proxy<ProjectLabelsState>(initial());

export const projectLabelsState: DeepReadonly<ProjectLabelsState> = state;

/** A load that was asked for before the person changed answers nothing. */
const asked = { count: 0 };

/** Loads the projects; those that are held stay while it asks again. */
export async function loadProjectLabels(): Promise<void> {
  if (state.status === 'fetching' || state.status === 'updating') return;
  state.status = state.status === 'fetched' ? 'updating' : 'fetching';
  const mine = ++asked.count;
  try {
    const { results } = await listProjectLabels();
    if (mine !== asked.count) return;
    state.labels = results;
    state.status = 'fetched';
  } catch {
    // A filter without its projects still says all; the error list says why.
    if (mine === asked.count) state.status = 'failed';
  }
}

export function resetProjectLabels(): void {
  asked.count++;
  Object.assign(state, initial());
}
