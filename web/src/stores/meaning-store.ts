import { proxy } from 'valtio';
import { addCorrection, getMeaning, takeCorrectionBack } from '@/api/meaning';
import { atSignOut } from '@/lib/at-sign-out';
import { AttemptKey } from '@/lib/attempt-key';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { serverMessage, withServerMessage } from '@/lib/server-message';
import type { CorrectionRequest, Meaning } from '@/lib/wire';
import { meaning as t } from '@/messages/meaning';

interface SourceMeaning {
  status: 'fetching' | 'fetched' | 'failed';
  /** What was loaded last; null before. */
  meaning: Meaning | null;
  /** Whether a correction is being written. */
  saving: boolean;
}

interface MeaningState {
  /** What the data mean of the connectors whose pages were opened. */
  byId: Record<number, SourceMeaning>;
}

const state = proxy<MeaningState>({ byId: {} });

export const meaningState: DeepReadonly<MeaningState> = state;

const attempt = new AttemptKey();

/** Loads what the data of a connector mean. What was loaded before stays until then. */
export async function loadMeaning(id: number): Promise<void> {
  state.byId[id] ??= { status: 'fetching', meaning: null, saving: false };
  const own = state.byId[id];
  own.status = 'fetching';
  try {
    own.meaning = await getMeaning(id);
    own.status = 'fetched';
  } catch {
    own.status = 'failed';
  }
}

/** Writes a correction. Returns what the server says against it; empty after success. */
export async function correct(id: number, correction: CorrectionRequest): Promise<string> {
  return change(id, async () => {
    await addCorrection(id, correction, attempt.of([id, correction]));
    attempt.done();
    notify.success(t('saved'));
  }).catch((error: unknown) => serverMessage(error, t('save.failed')));
}

/** Writes a correction from a button, which has no place for an error of its own. */
export async function correctAtOnce(id: number, correction: CorrectionRequest): Promise<void> {
  const refused = await correct(id, correction);
  if (refused !== '') notify.error(`${t('save.failed')}: ${refused}`);
}

export async function takeBack(id: number, correction: number): Promise<void> {
  await change(id, async () => {
    await takeCorrectionBack(id, correction);
    notify.success(t('taken'));
  }).catch((error: unknown) => notify.error(withServerMessage(error, t('take.failed'))));
}

/** Makes a change, and loads what the data mean after it, also after a failure: somebody else may have made one. */
async function change(id: number, make: () => Promise<void>): Promise<string> {
  const own = state.byId[id];
  if (own) own.saving = true;
  try {
    await make();
    return '';
  } finally {
    await loadMeaning(id);
    if (own) own.saving = false;
  }
}

export function resetMeaning(): void {
  state.byId = {};
}

atSignOut(resetMeaning);
