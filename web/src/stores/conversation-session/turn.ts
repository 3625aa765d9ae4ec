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

/**
 * The message that the person saw last; a prompt is sent with it, so that it cannot be attached to another branch.
 */
function parentOf(messages: readonly ChatMessage[]): string | undefined {
  return messages.findLast((message) => message.seq !== unsentSeq)?.id;
}

/** Reports the reason of a failure; the end of the session is reported by the sign-in page. */
function tell(error: unknown, fallback: string): void {
  if (error instanceof ApiError && error.status === 401) return;
  notify.error(serverMessage(error, fallback));
}

/**
 * Sends a prompt to a conversation, and shows it there if that is the open one: a person who starts a conversation
 * may have opened another one meanwhile. Returns whether the server has accepted it.
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
  // The id is chosen here, so that a repeated send, by the retry or by a proxy, has only one effect.
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
      // `null`: it was sent from here by the reader.
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
    // The stream may have confirmed the message although its answer was lost. If the conversation has been left
    // meanwhile, that is unknown, and it is better to keep a prompt unnecessarily than to lose it.
    const sent = log.get(message.id);
    if (sent && sent.seq !== unsentSeq) return true;
    tell(error, t('send.failed'));
    if (!readySession(id)) return false;
    log.keep((other) => other.id !== message.id);
    if (readySession(id)?.turn.phase === 'sending') setTurn(id, { phase: 'idle' });
    // Another person or tab was faster: show the current state.
    if (error instanceof ApiError && error.status === 409) await refetch(id);
    return false;
  } finally {
    sending.delete(message.id);
  }
  // The prompt was accepted and removed by a rewind before its event arrived: a prompt for an older generation is
  // refused.
  const isCut = session !== null && readySession(id)?.conversation.generation !== generation;
  if (isCut) log.keep((other) => other.id !== message.id || other.seq !== unsentSeq);
  if (readySession(id)?.turn.phase === 'sending') setTurn(id, { phase: 'running', progress: null });
  return true;
}

/**
 * Stops the running turn. Returns the prompt that is put back into the draft, or `null` if the turn had ended by
 * itself or the server could not be reached.
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

/** Removes the given message and all after it. Returns its prompt, which is put back into the draft. */
export async function rewindTo(id: string, messageId: string): Promise<string | null> {
  try {
    const answer = await rewind(id, messageId);
    // The event on the stream removes them too; without a connection the removal must still be visible.
    const seq = openLog().get(messageId)?.seq;
    if (seq !== undefined && readySession(id)) openLog().keep((message) => message.seq < seq);
    setTurn(id, { phase: 'idle' });
    return answer.text;
  } catch (error) {
    tell(error, t('rewind.failed'));
    return null;
  }
}
