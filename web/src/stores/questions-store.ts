import { proxy } from 'valtio';
import { listQuestions } from '@/api/questions';
import { atSignOut } from '@/lib/at-sign-out';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { OfferedQuestion } from '@/lib/wire';

/** The questions that are suggested to begin with. */
interface QuestionsState {
  /** The connectors that they belong to; `null` before the first request. */
  of: string | null;
  status: 'initial' | 'fetching' | 'fetched';
  questions: OfferedQuestion[];
}

const initial = (): QuestionsState => ({ of: null, status: 'initial', questions: [] });

const state = proxy<QuestionsState>(initial());

export const questionsState: DeepReadonly<QuestionsState> = state;

const count = 3;

/**
 * Loads questions that these connectors can answer. The shown ones stay until the answer arrives. After a failure
 * there are none, and the next choice tries again: they are only a help, so there is no error message.
 */
export async function loadQuestions(dataSources: readonly number[]): Promise<void> {
  const of = dataSources.join();
  if (state.of === of) return;
  state.of = of;
  if (of === '') {
    Object.assign(state, { status: 'fetched', questions: [] });
    return;
  }
  state.status = 'fetching';
  let questions: OfferedQuestion[] = [];
  let failed = false;
  try {
    questions = (await listQuestions(dataSources, count)).results;
  } catch {
    failed = true;
  }
  // Another choice has been made meanwhile, or another user is signed in.
  if (state.of !== of) return;
  Object.assign(state, { of: failed ? null : of, status: 'fetched', questions });
}

export function resetQuestions(): void {
  Object.assign(state, initial());
}

atSignOut(resetQuestions);
