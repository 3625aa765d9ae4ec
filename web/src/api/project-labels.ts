import { call } from './client';
import { path } from './path';
import type { Page, ProjectLabel, ProjectLabelRequest } from '@/lib/wire';

/** The maximum number of entries on a page of any list. */
const everyLabel = 1000;

export function listProjectLabels(): Promise<Page<ProjectLabel>> {
  return call('GET', path`discourse/projectlabels`, { query: { page_size: everyLabel } });
}

export function createProjectLabel(body: ProjectLabelRequest, idempotencyKey: string): Promise<ProjectLabel> {
  return call('POST', path`discourse/projectlabels`, { body, idempotencyKey, quiet: true });
}

/** Changes a project. Answers 409 if another person has changed it since the version that the request names. */
export function updateProjectLabel(id: number, body: ProjectLabelRequest): Promise<ProjectLabel> {
  return call('PUT', path`discourse/projectlabels/${id}`, { body, quiet: true });
}

export function deleteProjectLabel(id: number): Promise<unknown> {
  return call('DELETE', path`discourse/projectlabels/${id}`, { quiet: true });
}
