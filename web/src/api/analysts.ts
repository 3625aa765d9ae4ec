import { call } from './client';
import type { Analyst, Page } from '@/lib/wire';

export function listAnalysts(): Promise<Page<Analyst>> {
  return call('GET', 'analyst/analysts', { query: { page_size: 100 }, quiet: true });
}

export function getDefaultAnalyst(): Promise<Analyst> {
  return call('GET', 'analyst/default', { quiet: true });
}
