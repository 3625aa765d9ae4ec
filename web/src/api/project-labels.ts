import { call } from './client';
import type { Page, ProjectLabel } from '@/lib/wire';

/** The most that one page of any list holds. */
const everyLabel = 1000;

export function listProjectLabels(): Promise<Page<ProjectLabel>> {
  return call('GET', 'discourse/projectlabels', { query: { page_size: everyLabel } });
}
