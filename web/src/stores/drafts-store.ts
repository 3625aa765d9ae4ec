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

/** What this tab's storage holds. */
interface Stored {
  /** The uuid of the person who typed them; `null` until it is known who is here. */
  owner: string | null;
  drafts: Record<string, Draft>;
}

/** The name of the draft that has no conversation yet. */
export const newDraft = 'new';

/** What `draftOf` answers for a conversation without one. */
export const emptyDraft: DeepReadonly<Draft> = { text: '', dataSources: null, analystId: null };

const key = 'parley.drafts';

function stored(): Stored {
  try {
    const value = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<Stored> | null;
    return { owner: value?.owner ?? null, drafts: value?.drafts ?? {} };
  } catch {
    return { owner: null, drafts: {} };
  }
}

// Neither a reload nor a session that ends by itself may lose a long question; another tab has drafts of its own.
const held = stored();
const state = proxy<DraftsState>({ drafts: held.drafts });
const person = { uuid: held.owner };

export const draftsState: DeepReadonly<DraftsState> = state;

function store(): void {
  try {
    sessionStorage.setItem(
      key,
      JSON.stringify({ owner: person.uuid, drafts: state.drafts } satisfies Stored),
    );
  } catch {
    // A full or forbidden storage costs only what a reload would have kept.
  }
}

/** Says who types here from now on. What somebody else has left is forgotten. */
export function openDrafts(uuid: string): void {
  if (person.uuid !== uuid) state.drafts = {};
  person.uuid = uuid;
  store();
}

/** Changes a draft; one that is empty again is forgotten. */
export function changeDraft(conversation: string, changes: Partial<Draft>): void {
  const draft = { ...emptyDraft, ...state.drafts[conversation], ...changes } as Draft;
  if (draft.text === '' && draft.dataSources === null && draft.analystId === null) {
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a record by id is what valtio tracks best
    delete state.drafts[conversation];
  } else {
    state.drafts[conversation] = draft;
  }
  store();
}

export function resetDrafts(): void {
  state.drafts = {};
  person.uuid = null;
  sessionStorage.removeItem(key);
}
