import { proxy } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';

/** What stands in the message box of one conversation and has not been sent. */
export interface Draft {
  text: string;
  /** Ids of the connectors to ask; `null` keeps those of the conversation. */
  dataSources: number[] | null;
  /** The chosen agent; `null` is the default one. */
  analystId: number | null;
}

interface DraftsState {
  drafts: Record<string, Draft>;
}

/** The name of the draft that has no conversation yet. */
export const newDraft = 'new';

/** What `draftOf` answers for a conversation without one. */
export const emptyDraft: DeepReadonly<Draft> = { text: '', dataSources: null, analystId: null };

const key = 'parley.drafts';

function stored(): Record<string, Draft> {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return typeof value === 'object' && value !== null ? (value as Record<string, Draft>) : {};
  } catch {
    return {};
  }
}

// A reload must not lose a long question; another tab has drafts of its own.
const state = proxy<DraftsState>({ drafts: stored() });

export const draftsState: DeepReadonly<DraftsState> = state;

/** Changes a draft; one that is empty again is forgotten. */
export function changeDraft(conversation: string, changes: Partial<Draft>): void {
  const draft = { ...emptyDraft, ...state.drafts[conversation], ...changes } as Draft;
  if (draft.text === '' && draft.dataSources === null && draft.analystId === null) {
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a record by id is what valtio tracks best
    delete state.drafts[conversation];
  } else {
    state.drafts[conversation] = draft;
  }
  try {
    sessionStorage.setItem(key, JSON.stringify(state.drafts));
  } catch {
    // A full or forbidden storage costs only what a reload would have kept.
  }
}

export function resetDrafts(): void {
  state.drafts = {};
  sessionStorage.removeItem(key);
}
