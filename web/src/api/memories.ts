import { call } from './client';
import { path } from './path';
import type { MemoryQuery } from '@/lib/memory';
import type { Memory, MemoryRequest, MemoryType, MemoryWord, Page } from '@/lib/wire';

export function listMemories(query: MemoryQuery, page: number): Promise<Page<Memory>> {
  const { specialist, label, type, search, size } = query;
  return call('GET', path`memory/memories`, {
    query: {
      page,
      page_size: size,
      specialists: specialist ?? undefined,
      labels: label ?? undefined,
      filter: type === null ? undefined : `type:eq:${type}`,
      search: search === '' ? undefined : search,
    },
  });
}

export function createMemory(memory: MemoryRequest, idempotencyKey: string): Promise<Memory> {
  return call('POST', path`memory/memories`, { body: memory, idempotencyKey, quiet: true });
}

/** `version` of the memory is the one that was edited: a change in between is refused. */
export function changeMemory(id: number, memory: MemoryRequest): Promise<Memory> {
  return call('PUT', path`memory/memories/${id}`, { body: memory, quiet: true });
}

export function setMemoryEnabled(id: number, isEnabled: boolean): Promise<Memory> {
  return call('PATCH', path`memory/memories/${id}`, { body: { isEnabled }, quiet: true });
}

export function deleteMemory(id: number): Promise<unknown> {
  return call('DELETE', path`memory/memories/${id}`, { quiet: true });
}

export async function listMemoryTypes(): Promise<MemoryType[]> {
  return (await call<Page<MemoryType>>('GET', path`memory/memorytypes`)).results;
}

export async function listMemoryLabels(): Promise<MemoryWord[]> {
  return (await call<Page<MemoryWord>>('GET', path`memory/memorylabels`)).results;
}
