import type { OfferedQuestion, Page } from '@/lib/wire';
import { call } from './client';
import { path } from './path';

/** Questions that these connectors can answer, at most `count`; each names the connector that answers it. */
export function listQuestions(dataSources: readonly number[], count: number): Promise<Page<OfferedQuestion>> {
  return call('GET', path`memory/datasources/questions`, {
    quiet: true,
    query: { data_sources: dataSources.join(), limit: count },
  });
}
