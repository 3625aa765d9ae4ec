import { call } from './client';
import { path } from './path';
import type { Blueprint, Conversation, DataSource, Page, ScheduledTask } from '@/lib/wire';

/** The number of items of each kind that are shown at first. */
const pageSize = 10;

/** The newest conversations of a project. */
export function listConversationsOf(project: number, page: number): Promise<Page<Conversation>> {
  return call('GET', path`discourse/conversations`, {
    query: { project_label: project, page, page_size: pageSize, sort: '-updated_at' },
    quiet: true,
  });
}

export function listDataSourcesOf(project: number, page: number): Promise<Page<DataSource>> {
  return call('GET', path`memory/datasources`, {
    query: { project_label: project, page, page_size: pageSize },
    quiet: true,
  });
}

export function listBlueprintsOf(project: number, page: number): Promise<Page<Blueprint>> {
  return call('GET', path`discourse/blueprints`, {
    query: { project_label: project, page, page_size: pageSize },
    quiet: true,
  });
}

/** The list of scheduled tasks has no parameter for projects. */
export function listTasksOf(project: number, page: number): Promise<Page<ScheduledTask>> {
  return call('GET', path`discourse/scheduledtasks`, {
    query: { filter: `projectLabels:in:${project}`, page, page_size: pageSize },
    quiet: true,
  });
}
