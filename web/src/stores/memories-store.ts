import { proxy } from 'valtio';
import {
  changeMemory,
  createMemory,
  deleteMemory,
  listMemories,
  listMemoryLabels,
  listMemoryTypes,
  setMemoryEnabled,
} from '@/api/memories';
import { AttemptKey } from '@/lib/attempt-key';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection } from '@/lib/collection';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import type { MemoryQuery } from '@/lib/memory';
import { notify } from '@/lib/notify';
import { withServerMessage } from '@/lib/server-message';
import { submitFailure, type SubmitFailure } from '@/lib/submit-failure';
import type { Memory, MemoryRequest, MemoryType, MemoryWord } from '@/lib/wire';
import { memories as t } from '@/messages/memories';

/** The memories of the organisation, a page at a time. Superusers see those that are switched off, too. */
export const memories = new Collection<Memory, MemoryQuery>({ list: listMemories });

/** The types and labels of memories. There are few of them, and they are loaded once. */
interface MemoryWordsState {
  status: LoadStatus;
  types: MemoryType[];
  labels: MemoryWord[];
}

const initial = (): MemoryWordsState => ({ status: 'initial', types: [], labels: [] });

const words = proxy<MemoryWordsState>(initial());

export const memoryWords: DeepReadonly<MemoryWordsState> = words;

/** Counts resets: an answer to a request from before a reset is not stored. */
const person = { count: 0 };

const attempt = new AttemptKey();

export async function loadMemoryWords(): Promise<void> {
  if (words.status === 'fetching' || words.status === 'fetched') return;
  words.status = 'fetching';
  const mine = person.count;
  try {
    const [types, labels] = await Promise.all([listMemoryTypes(), listMemoryLabels()]);
    if (mine === person.count) Object.assign(words, { status: 'fetched', types, labels });
  } catch {
    // The error list shows the reason; the next page that needs them tries again.
    if (mine === person.count) words.status = 'failed';
  }
}

/** Makes a memory, or changes the one with this id. Returns what is wrong with it. */
export async function saveMemory(id: number | null, memory: MemoryRequest): Promise<SubmitFailure | null> {
  try {
    const saved =
      id === null ? await createMemory(memory, attempt.of(memory)) : await changeMemory(id, memory);
    attempt.done();
    memories.put(saved);
  } catch (error) {
    // The specification has the same text for both.
    notify.error(t('failed.update'));
    return submitFailure(error, t('failed.update'));
  }
  notify.success(t(id === null ? 'done.created' : 'done.updated'));
  void memories.refresh();
  return null;
}

/** Switches a memory on or off; it is shown at once, and reverted if the server refuses. */
export async function toggleMemory(id: number, isEnabled: boolean): Promise<void> {
  memories.patch(id, { isEnabled });
  try {
    memories.put(await setMemoryEnabled(id, isEnabled));
    notify.success(t(isEnabled ? 'done.activated' : 'done.deactivated'));
  } catch (error) {
    memories.patch(id, { isEnabled: !isEnabled });
    notify.error(withServerMessage(error, t(isEnabled ? 'failed.activate' : 'failed.deactivate')));
  }
}

/** Deletes a memory for good. Returns whether it was deleted. */
export async function removeMemory(id: number): Promise<boolean> {
  try {
    await deleteMemory(id);
  } catch (error) {
    notify.error(withServerMessage(error, t('failed.delete')));
    return false;
  }
  memories.forget(id);
  notify.success(t('done.deleted'));
  // The following entries move up; if the page has become empty, the one before it is shown.
  void memories.refresh();
  return true;
}

export function resetMemories(): void {
  person.count++;
  memories.reset();
  Object.assign(words, initial());
}

atSignOut(resetMemories);
