import { notify } from '@/lib/notify';
import type { ProjectValues } from '@/lib/project-rules';
import { submitFailure, type SubmitFailure } from '@/lib/submit-failure';
import { projects as t } from '@/messages/projects';
import { createProject, deleteProject, saveProject } from '@/stores/project-labels-store';

/** Runs an action and reports the result. Errors of single fields are only shown at the fields. */
async function told(action: Promise<void>, done: string, failed: string): Promise<SubmitFailure | null> {
  try {
    await action;
  } catch (error) {
    const failure = submitFailure(error, failed);
    if (failure.fields.length === 0) notify.error(failed);
    return failure;
  }
  notify.success(done);
  return null;
}

/** Makes a project. Returns what is wrong, or `null` if it was made. */
export function makeProject(values: ProjectValues): Promise<SubmitFailure | null> {
  return told(createProject(values), t('create.ok'), t('create.failed'));
}

/** Changes a project. Returns what is wrong, or `null` if it was saved. */
export function changeProject(
  project: { readonly id: number; readonly version: number },
  values: ProjectValues,
): Promise<SubmitFailure | null> {
  return told(saveProject(project, values), t('edit.ok'), t('edit.failed'));
}

/** Deletes a project. Returns whether that was done. */
export async function removeProject(id: number): Promise<boolean> {
  return (await told(deleteProject(id), t('delete.ok'), t('delete.failed'))) === null;
}
