import { proxy } from 'valtio';
import { listQuestions } from '@/api/questions';
import { atSignOut } from '@/lib/at-sign-out';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { OfferedQuestion } from '@/lib/wire';

/** The questions that are offered to begin with. */
interface QuestionsState {
  /** Of which connectors they are; `null` until some were asked for. */
  of: string | null;
  status: 'initial' | 'fetching' | 'fetched';
  questions: OfferedQuestion[];
}

const initial = (): QuestionsState => ({ of: null, status: 'initial', questions: [] });

const state = proxy<QuestionsState>(initial());

export const questionsState: DeepReadonly<QuestionsState> = state;

const count = 3;

/**
 * Brings questions that these connectors can answer. What is shown stays until the answer is there. A failure offers
 * none, and the next choice asks again: they are a help, and nobody waits for them.
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
  // Another choice has been made meanwhile, or another person is here.
  if (state.of !== of) return;
  Object.assign(state, { of: failed ? null : of, status: 'fetched', questions });
}

export function resetQuestions(): void {
  Object.assign(state, initial());
}

atSignOut(resetQuestions);
