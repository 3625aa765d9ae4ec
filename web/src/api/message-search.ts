import { call } from './client';
import { path } from './path';
import type { FoundMessage, Page } from '@/lib/wire';

/** Finds words in what was asked and answered: at most one message of each conversation. */
export function searchMessages(search: string): Promise<Page<FoundMessage>> {
  return call('GET', path`discourse/messages`, { query: { search }, quiet: true });
}
