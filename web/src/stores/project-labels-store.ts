import { proxy } from 'valtio';
import {
  createProjectLabel,
  deleteProjectLabel,
  listProjectLabels,
  updateProjectLabel,
} from '@/api/project-labels';
import { atSignOut } from '@/lib/at-sign-out';
import { AttemptKey } from '@/lib/attempt-key';
import { Collection } from '@/lib/collection';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import type { ProjectValues } from '@/lib/project-rules';
import type { ProjectLabel } from '@/lib/wire';

/** The projects of the organisation; everybody sees all of them. One list holds them all. */
export const projectLabels = new Collection<ProjectLabel>({ list: () => listProjectLabels() });

const attempt = new AttemptKey();

/** Makes a project. Fails with what the server says. */
export async function createProject(values: ProjectValues): Promise<void> {
  projectLabels.put(await createProjectLabel(values, attempt.of(values)));
  attempt.done();
}

/** Changes a project, from the version that the person saw. Fails with what the server says. */
export async function saveProject(
  project: { readonly id: number; readonly version: number },
  values: ProjectValues,
): Promise<void> {
  projectLabels.put(await updateProjectLabel(project.id, { ...values, version: project.version }));
}

/** Deletes a project. Fails with what the server says. */
export async function deleteProject(id: number): Promise<void> {
  await deleteProjectLabel(id);
  projectLabels.forget(id);
}

/** The projects as one list, for pages that do not yet read the collection. */
interface ProjectLabelsState {
  status: LoadStatus;
  labels: ProjectLabel[];
}

const state = proxy<ProjectLabelsState>({ status: 'initial', labels: [] });

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
  projectLabels.reset();
  asked.count++;
  state.status = 'initial';
  state.labels = [];
}

atSignOut(resetProjectLabels);
