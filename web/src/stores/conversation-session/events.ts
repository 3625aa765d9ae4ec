import { chatMessage, unsentSeq, withAnnotation, withObjects } from '@/lib/chat-message';
import type { ConversationChange, EventData, MessageUpdate, Progress, StreamingComplete } from '@/lib/events';
import type { EventFrame, EventType } from '@/stream/frames';
import { conversationDeleted, isUnderWay, openLog, patchSession, readySession, setTurn } from './session';

type Handlers = { [T in keyof EventData]: (id: string, data: EventData[T]) => void };

function running(id: string): void {
  const session = readySession(id);
  if (!session) return;
  session.conversation.isStreaming = true;
  // After a stop the person waits for the end: an event that was sent before must not show the turn as running
  // again.
  if (session.turn.phase !== 'running' && session.turn.phase !== 'stopping') {
    session.turn = { phase: 'running', progress: null };
  }
}

function changed(id: string, data: ConversationChange): void {
  const { accessChanged: _, ...changes } = data;
  patchSession(id, changes);
}

function messageUpdated(data: MessageUpdate): void {
  const { status, reason, displayobjectSet, annotation } = data;
  openLog().update(data.id, (message) => {
    const ended = status === undefined ? message : { ...message, status, note: reason ?? null };
    const known = annotation ? withAnnotation(ended, annotation) : ended;
    return displayobjectSet ? withObjects(known, displayobjectSet) : known;
  });
}

function completed(id: string, data: StreamingComplete): void {
  patchSession(id, { isStreaming: false, credits: data.credits });
  const { status, reason } = data;
  if (status !== 'failed' && status !== 'interrupted') {
    setTurn(id, { phase: 'idle' });
    return;
  }
  // The message that was cut off already contains the reason.
  setTurn(id, { phase: 'ended', status, reason: reason ?? '' });
}

/** One entry for each type of event in a conversation's log. */
const handlers: Handlers = {
  'message.created': (id, data) => {
    openLog().put(chatMessage(data));
    if (data.role === 'user' || data.status === 'streaming') running(id);
  },
  'message.updated': (_, data) => messageUpdated(data),
  'conversation.streaming-complete': completed,
  'conversation.rewound': (id, data) => {
    openLog().keep((message) => message.seq < data.fromSeq || message.seq === unsentSeq);
    patchSession(id, { generation: data.generation, isStreaming: false });
    setTurn(id, { phase: 'idle' });
  },
  'conversation.created': changed,
  'conversation.updated': changed,
  'conversation.deleted': conversationDeleted,
};

/** Handles an event of the open conversation's log. */
export function sessionEvent(id: string, frame: EventFrame): void {
  if (!readySession(id)) return;
  // The type of the data depends on the type of the event, which a table cannot express for the compiler. Events of
  // tasks are only in the person's log.
  const known: Partial<Record<EventType, unknown>> = handlers;
  (known[frame.type] as ((id: string, data: unknown) => void) | undefined)?.(id, frame.data);
}

/** Handles new text of a message. */
export function sessionText(id: string, message: string, text: string): void {
  const session = readySession(id);
  if (!session) return;
  openLog().append(message, text);
  // Text is its own progress.
  if (session.turn.phase === 'running' && session.turn.progress !== null) session.turn.progress = null;
}

/** Handles the progress of the running turn. If the turn was stopped or has ended, it is too late. */
export function sessionProgress(id: string, { turnId, text }: Progress): void {
  const session = readySession(id);
  if (session?.turn.phase === 'running' && isUnderWay(turnId)) session.turn.progress = text;
}
