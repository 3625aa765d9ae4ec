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
import { notify } from '@/lib/notify';
import type { ProjectValues } from '@/lib/project-rules';
import { submitFailure, type SubmitFailure } from '@/lib/submit-failure';
import type { ProjectLabel } from '@/lib/wire';
import { projects as t } from '@/messages/projects';

/** The projects of the organisation; everybody sees all of them. One list holds them all. */
export const projectLabels = new Collection<ProjectLabel>({ list: () => listProjectLabels() });

const attempt = new AttemptKey();

/** Says that it failed, unless it is about single fields: those say it themselves. */
function failure(error: unknown, text: string): SubmitFailure {
  const failed = submitFailure(error, text);
  if (failed.fields.length === 0) notify.error(text);
  return failed;
}

/** Makes a project. Answers what is wrong, or `null` when it is there. */
export async function createProject(values: ProjectValues): Promise<SubmitFailure | null> {
  try {
    projectLabels.put(await createProjectLabel(values, attempt.of(values)));
  } catch (error) {
    return failure(error, t('create.failed'));
  }
  attempt.done();
  notify.success(t('create.ok'));
  return null;
}

/** Changes a project, from the version that the person saw. */
export async function saveProject(
  project: { readonly id: number; readonly version: number },
  values: ProjectValues,
): Promise<SubmitFailure | null> {
  try {
    projectLabels.put(await updateProjectLabel(project.id, { ...values, version: project.version }));
  } catch (error) {
    return failure(error, t('edit.failed'));
  }
  notify.success(t('edit.ok'));
  return null;
}

/** Deletes a project. Answers whether that was done. */
export async function deleteProject(id: number): Promise<boolean> {
  try {
    await deleteProjectLabel(id);
  } catch {
    notify.error(t('delete.failed'));
    return false;
  }
  projectLabels.forget(id);
  notify.success(t('delete.ok'));
  return true;
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
