import { proxy } from 'valtio';
import { createConversation } from '@/api/conversations';
import { atSignOut } from '@/lib/at-sign-out';
import { AttemptKey } from '@/lib/attempt-key';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { serverMessage } from '@/lib/server-message';
import { shortenAtWord } from '@/lib/shorten-at-word';
import type { Conversation } from '@/lib/wire';
import { conversationChanges as t } from '@/messages/conversation-changes';
import { openConversation, sendMessage } from './conversation-session';
import { putConversation } from './conversations-store';
import { changeDraft, draftsState, restoreDraft } from './drafts-store';
import { meState } from './me-store';

/*
 * How a conversation begins with a question, from any page. It changes the list, the open conversation and the
 * drafts, which are independent of each other.
 */

/** A question that begins a conversation. */
interface FirstQuestion {
  text: string;
  /** Ids of the connectors to ask. */
  dataSources: readonly number[];
  /** `null` asks the default agent. */
  analystId: number | null;
}

/** The message box from which a first question is asked. */
interface AskingBox {
  /** The name of its draft. */
  draft: string;
  /** Whether its page is still shown. A person who has moved to another page must not be redirected. */
  isShown: () => boolean;
  /** Called when the conversation exists and the question is being sent to it, if the page is still shown. */
  onBegun: (id: string) => void | Promise<void>;
}

interface BeginningsState {
  /** Names of the drafts whose question is being sent. */
  underway: Record<string, true>;
}

const state = proxy<BeginningsState>({ underway: {} });

export const beginningsState: DeepReadonly<BeginningsState> = state;

/** The most bytes that a message may have in UTF-8. The server counts them in the same way. */
const messageMax = 64 * 1024;

/** A conversation's name on creation is cut to this many characters, after a whole word. */
const nameLimit = 30;

/** The keys by draft. Pressing Send again after a failure must not make a second conversation. */
const attempts = new Map<string, AttemptKey>();

function attemptOf(draft: string): AttemptKey {
  const attempt = attempts.get(draft) ?? new AttemptKey();
  attempts.set(draft, attempt);
  return attempt;
}

/** Makes a conversation that is named after its first question, and adds it to the list. */
async function create({ text, dataSources }: FirstQuestion, draft: string): Promise<Conversation | null> {
  const firstLine = text.trim().split('\n')[0] ?? '';
  const name = shortenAtWord(firstLine, nameLimit) || t('name.default');
  const attempt = attemptOf(draft);
  try {
    const created = await createConversation(name, [...dataSources], attempt.of([name, dataSources]));
    attempt.done();
    return created;
  } catch (error) {
    notify.error(serverMessage(error, t('create.failed')));
    return null;
  }
}

/**
 * Removes the question from its box. Other text that was typed there moves to the new conversation, unless the
 * author has left the page.
 */
function moveDraft(from: string, to: string, { text, analystId }: FirstQuestion, goesAlong: boolean): void {
  // Reads the current draft, which may not have been rendered yet.
  const typed = draftsState.drafts[from]?.text ?? '';
  const rest = typed === text ? '' : typed;
  if (goesAlong || rest === '') changeDraft(from, { text: '', dataSources: null, analystId: null });
  changeDraft(to, { text: goesAlong ? rest : '', analystId });
}

/**
 * Sends a question as the first of a new conversation. Only one at a time per box. If the question is too long,
 * nothing is made, because an empty conversation would stay in the list. In this case, and if the conversation
 * cannot be made, a message says so, and the text stays in its box; if sending fails, the text is put into the conversation's
 * box.
 */
export async function beginWithQuestion(question: FirstQuestion, box: AskingBox): Promise<void> {
  const { draft, isShown, onBegun } = box;
  const { underway } = state;
  if (question.text.trim() === '' || underway[draft]) return;
  if (new TextEncoder().encode(question.text).length > messageMax) {
    notify.error(t('send.long'));
    return;
  }
  underway[draft] = true;
  let sending: Promise<boolean>;
  let id: string;
  try {
    const created = await create(question, draft);
    // The person has signed out meanwhile: the next user must not see any of this.
    if (!created || underway !== state.underway) return;
    id = created.id;
    putConversation({ ...created, messageSet: [] });
    // The question is sent even if the person has left the page.
    if (isShown()) await openConversation(id);
    moveDraft(draft, id, question, isShown());
    sending = sendMessage(id, {
      text: question.text,
      analystId: question.analystId,
      dataSources: [...question.dataSources],
      author: meState.user?.fullName ?? null,
    });
    if (isShown()) await onBegun(id);
  } finally {
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a record by name is what valtio tracks best
    delete underway[draft];
  }
  if (!(await sending)) restoreDraft(id, question.text);
}

export function resetBeginnings(): void {
  state.underway = {};
  attempts.clear();
}

atSignOut(resetBeginnings);
