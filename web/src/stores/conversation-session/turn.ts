import { rewind, sendPrompt, stop } from '@/api/conversations';
import { ApiError } from '@/api/errors';
import { unsentSeq, type ChatMessage } from '@/lib/chat-message';
import { notify } from '@/lib/notify';
import { serverMessage } from '@/lib/server-message';
import { uuidv7 } from '@/lib/uuid';
import { conversationChanges as t } from '@/messages/conversation-changes';
import { openLog, readySession, refetch, sending, setTurn } from './session';

/** What a person sends. */
export interface Prompt {
  text: string;
  dataSources: number[];
  /** `null` asks the default agent. */
  analystId: number | null;
  /** The blueprint whose steps answer it; the values of its inputs are read from the text. */
  iceBreakerId?: number | undefined;
  /** The sender's name, for the message that is shown before the server has confirmed it. */
  author: string | null;
}

/** The message that the person saw last; a send names it, so that it cannot attach to another branch. */
function parentOf(messages: readonly ChatMessage[]): string | undefined {
  return messages.findLast((message) => message.seq !== unsentSeq)?.id;
}

/** Says why it did not work; that the session has ended, the sign-in page says. */
function tell(error: unknown, fallback: string): void {
  if (error instanceof ApiError && error.status === 401) return;
  notify.error(serverMessage(error, fallback));
}

/**
 * Sends a prompt to a conversation, and shows it there if that is the open one: a person who starts a conversation may
 * have gone to another one meanwhile. Answers whether the server has taken it.
 */
export async function sendMessage(id: string, prompt: Prompt): Promise<boolean> {
  const session = readySession(id);
  if (prompt.text.trim() === '') return false;
  if (session && !session.conversation.abilities.send) {
    notify.error(t('send.shared'));
    return false;
  }
  const log = openLog();
  const parentMessageId = session ? parentOf(log.now()) : undefined;
  const generation = session?.conversation.generation;
  // The id is chosen here and makes a repeated send, by the retry or by a proxy, happen once.
  const message = { id: uuidv7(), text: prompt.text };
  if (session) {
    log.put({
      id: message.id,
      seq: unsentSeq,
      turnId: null,
      role: 'user',
      text: prompt.text,
      status: 'complete',
      author: prompt.author,
      // `null`: the person who reads it has sent it here.
      authorId: null,
      analyst: null,
      iceBreakerId: prompt.iceBreakerId,
      createdAt: new Date().toISOString(),
      note: null,
      displayObjects: [],
      feedback: [],
    });
  }
  setTurn(id, { phase: 'sending' });
  sending.add(message.id);
  try {
    await sendPrompt({
      conversationId: id,
      dataSources: prompt.dataSources,
      ...(prompt.iceBreakerId !== undefined && { iceBreakerId: prompt.iceBreakerId }),
      message: {
        ...message,
        ...(prompt.analystId !== null && { analystId: prompt.analystId }),
        ...(parentMessageId !== undefined && { parentMessageId }),
      },
    });
  } catch (error) {
    // The stream may have confirmed the message although its answer was lost. Where the conversation has been
    // left meanwhile nobody knows, and a prompt that is kept for nothing is better than one that is lost.
    const sent = log.get(message.id);
    if (sent && sent.seq !== unsentSeq) return true;
    tell(error, t('send.failed'));
    if (!readySession(id)) return false;
    log.keep((other) => other.id !== message.id);
    if (readySession(id)?.turn.phase === 'sending') setTurn(id, { phase: 'idle' });
    // Somebody, or another tab, was faster: show what is there now.
    if (error instanceof ApiError && error.status === 409) await refetch(id);
    return false;
  } finally {
    sending.delete(message.id);
  }
  // It was taken and, before its event came, cut by a rewind: what attaches to an older generation is refused.
  const isCut = session !== null && readySession(id)?.conversation.generation !== generation;
  if (isCut) log.keep((other) => other.id !== message.id || other.seq !== unsentSeq);
  if (readySession(id)?.turn.phase === 'sending') setTurn(id, { phase: 'running', progress: null });
  return true;
}

/**
 * Ends the running turn. Answers the prompt that goes back into the draft, or `null` when the turn
 * had ended by itself or the server could not be asked.
 */
export async function stopTurn(id: string): Promise<string | null> {
  setTurn(id, { phase: 'stopping' });
  try {
    const answer = await stop(id);
    if (readySession(id)?.turn.phase === 'stopping') setTurn(id, { phase: 'idle' });
    return answer.stopped ? (answer.lastMessage?.text ?? null) : null;
  } catch (error) {
    if (readySession(id)?.turn.phase === 'stopping') setTurn(id, { phase: 'running', progress: null });
    tell(error, t('stop.failed'));
    return null;
  }
}

/** Cuts the messages from the given one on. Answers its prompt, which goes back into the draft. */
export async function rewindTo(id: string, messageId: string): Promise<string | null> {
  try {
    const answer = await rewind(id, messageId);
    // The event on the stream cuts too; without a line the cut must still be seen.
    const seq = openLog().get(messageId)?.seq;
    if (seq !== undefined && readySession(id)) openLog().keep((message) => message.seq < seq);
    setTurn(id, { phase: 'idle' });
    return answer.text;
  } catch (error) {
    tell(error, t('rewind.failed'));
    return null;
  }
}
