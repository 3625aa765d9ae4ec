import { call } from './client';
import type { Page, ProjectLabel, ProjectLabelRequest } from '@/lib/wire';

/** The most that one page of any list holds. */
const everyLabel = 1000;

export function listProjectLabels(): Promise<Page<ProjectLabel>> {
  return call('GET', 'discourse/projectlabels', { query: { page_size: everyLabel } });
}

export function createProjectLabel(body: ProjectLabelRequest, idempotencyKey: string): Promise<ProjectLabel> {
  return call('POST', 'discourse/projectlabels', { body, idempotencyKey, quiet: true });
}

/** Changes a project. 409 where somebody else has changed it since the version that the request names. */
export function updateProjectLabel(id: number, body: ProjectLabelRequest): Promise<ProjectLabel> {
  return call('PUT', `discourse/projectlabels/${id}`, { body, quiet: true });
}

export function deleteProjectLabel(id: number): Promise<unknown> {
  return call('DELETE', `discourse/projectlabels/${id}`, { quiet: true });
}
