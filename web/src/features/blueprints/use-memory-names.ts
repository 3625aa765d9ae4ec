import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import type { MemoryQuery } from '@/lib/memory';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import { memories } from '@/stores/memories-store';

/** The memories that can be chosen for a step, filtered by the search. */
export function memoryChoices(search: string): MemoryQuery {
  return { specialist: null, label: null, type: null, search, size: 100 };
}

/** The names of memories by their ids. The name says if a memory is switched off or deleted. */
export function useMemoryNames(ids: readonly number[]): { readonly id: number; readonly name: string }[] {
  const { byId } = useSnapshot(memories.state);
  const isWanted = ids.length > 0;
  useEffect(() => {
    if (isWanted) void memories.load(memoryChoices(''));
  }, [isWanted]);
  const names = new Map(Object.values(byId).map(({ id, name }) => [id, name]));
  return ids.map((id) => ({ id, name: names.get(id) ?? t('section.memories.unknown') }));
}
