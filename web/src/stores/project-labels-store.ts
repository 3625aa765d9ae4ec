import {
  createProjectLabel,
  deleteProjectLabel,
  listProjectLabels,
  updateProjectLabel,
} from '@/api/project-labels';
import { atSignOut } from '@/lib/at-sign-out';
import { AttemptKey } from '@/lib/attempt-key';
import { Collection } from '@/lib/collection';
import type { ProjectValues } from '@/lib/project-rules';
import type { ProjectLabel } from '@/lib/wire';

/** The projects of the organisation; all users see all of them. A single list contains them. */
export const projectLabels = new Collection<ProjectLabel>({ list: () => listProjectLabels() });

const attempt = new AttemptKey();

/** Makes a project. Fails with the server's message. */
export async function createProject(values: ProjectValues): Promise<void> {
  projectLabels.put(await createProjectLabel(values, attempt.of(values)));
  attempt.done();
}

/** Changes a project, from the version that the person saw. Fails with the server's message. */
export async function saveProject(
  project: { readonly id: number; readonly version: number },
  values: ProjectValues,
): Promise<void> {
  projectLabels.put(await updateProjectLabel(project.id, { ...values, version: project.version }));
}

/** Deletes a project. Fails with the server's message. */
export async function deleteProject(id: number): Promise<void> {
  await deleteProjectLabel(id);
  projectLabels.forget(id);
}

export function resetProjectLabels(): void {
  projectLabels.reset();
}

atSignOut(resetProjectLabels);
