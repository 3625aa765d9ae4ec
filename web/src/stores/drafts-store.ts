import { proxy } from 'valtio';
import { atSignOut } from '@/lib/at-sign-out';
import type { DeepReadonly } from '@/lib/deep-readonly';

/** The unsent content of the message box of one conversation. */
export interface Draft {
  text: string;
  /** Ids of the connectors to ask; `null` keeps those of the conversation. */
  dataSources: number[] | null;
  /** The chosen agent; `null` is the default one. */
  analystId: number | null;
  /** A question that is sent when the current answer has ended. */
  queued: string | null;
}

interface DraftsState {
  drafts: Record<string, Draft>;
}

/** The content of this tab's storage. */
interface Stored {
  /** The uuid of the person who typed them; `null` until it is known who is signed in. */
  owner: string | null;
  drafts: Record<string, Draft>;
}

/** The name of the draft that has no conversation yet. */
export const newDraft = 'new';

/** The name of the draft of the home page. */
export const homeDraft = 'home';

/** The content of the box for a conversation without a draft. */
export const emptyDraft: DeepReadonly<Draft> = {
  text: '',
  dataSources: null,
  analystId: null,
  queued: null,
};

const key = 'parley.drafts';

/**
 * The drafts of the storage, which may hold anything. A question that was queued when the page was left is put back
 * into its box: a duplicated tab would send it a second time.
 */
function withoutQueue(drafts: Partial<Record<string, Unknown<Draft>>>): Record<string, Draft> {
  return Object.fromEntries(
    Object.entries(drafts).map(([name, draft]) => [
      name,
      {
        text: joined(textOf(draft?.queued), textOf(draft?.text)),
        dataSources: Array.isArray(draft?.dataSources) ? draft.dataSources.filter(isId) : null,
        analystId: isId(draft?.analystId) ? draft.analystId : null,
        queued: null,
      },
    ]),
  );
}

type Unknown<T> = { readonly [Key in keyof T]?: unknown } | null;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const isId = (value: unknown): value is number => Number.isSafeInteger(value);

/** Joins two texts, one above the other, if there are both. */
function joined(above: string, below: string): string {
  return above === '' || below === '' ? above + below : `${above}\n${below}`;
}

function stored(): Stored {
  try {
    const value = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Partial<Stored> | null;
    return { owner: value?.owner ?? null, drafts: withoutQueue(value?.drafts ?? {}) };
  } catch {
    return { owner: null, drafts: {} };
  }
}

// A reload or an involuntary end of the session must not lose a long question; another tab has its own drafts.
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
    // If the storage is full or forbidden, drafts are only lost by a reload.
  }
}

/** Sets the person who types here from now on. Drafts of another person are deleted. */
export function openDrafts(uuid: string): void {
  if (person.uuid !== uuid) state.drafts = {};
  person.uuid = uuid;
  store();
}

/** Changes a draft; one that is empty again is deleted. */
export function changeDraft(conversation: string, changes: Partial<Draft>): void {
  const draft = { ...emptyDraft, ...state.drafts[conversation], ...changes } as Draft;
  if (draft.text === '' && draft.dataSources === null && draft.analystId === null && draft.queued === null) {
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a record by id is what valtio tracks best
    delete state.drafts[conversation];
  } else {
    state.drafts[conversation] = draft;
  }
  store();
}

/** Puts a prompt back into the message box, before text that has been typed there since. */
export function restoreDraft(conversation: string, text: string): void {
  const typed = state.drafts[conversation]?.text ?? '';
  changeDraft(conversation, { text: typed === text ? text : joined(text, typed) });
}

/** Moves the text of the box to the queue, to be sent when the current answer has ended. */
export function queueDraft(conversation: string): void {
  const draft = state.drafts[conversation];
  if (!draft || draft.text.trim() === '') return;
  changeDraft(conversation, { text: '', queued: joined(draft.queued ?? '', draft.text) });
}

/** Puts the queued question back into the box, before text that has been typed there since. */
export function unqueueDraft(conversation: string): void {
  const waiting = takeQueued(conversation);
  if (waiting !== null)
    changeDraft(conversation, { text: joined(waiting, state.drafts[conversation]?.text ?? '') });
}

/** Removes and returns the queued question; `null` if there is none. */
export function takeQueued(conversation: string): string | null {
  const waiting = state.drafts[conversation]?.queued ?? null;
  if (waiting !== null) changeDraft(conversation, { queued: null });
  return waiting;
}

export function resetDrafts(): void {
  state.drafts = {};
  person.uuid = null;
  sessionStorage.removeItem(key);
}

// Text that a person was typing when the session ended involuntarily is kept for them.
atSignOut((code) => {
  if (code === 'signed-out') resetDrafts();
});
