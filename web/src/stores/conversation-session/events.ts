import { chatMessage, unsentSeq, withAnnotation, withObjects } from '@/lib/chat-message';
import type { ConversationChange, EventData, MessageUpdate, Progress, StreamingComplete } from '@/lib/events';
import type { EventFrame, EventType } from '@/stream/frames';
import { conversationDeleted, isUnderWay, openLog, patchSession, readySession, setTurn } from './session';

type Handlers = { [T in keyof EventData]: (id: string, data: EventData[T]) => void };

function running(id: string): void {
  const session = readySession(id);
  if (!session) return;
  session.conversation.isStreaming = true;
  // After a stop the person waits for the end: an event that was on its way must not show the turn as running again.
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
  // The message that was cut off has brought the reason itself.
  setTurn(id, { phase: 'ended', status, reason: reason ?? '' });
}

/** One row for each event of a conversation's log. */
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

/** Takes an event of the open conversation's log. */
export function sessionEvent(id: string, frame: EventFrame): void {
  if (!readySession(id)) return;
  // The type of the data follows from the type of the event, which a table cannot tell the compiler. Events of tasks
  // stand in the person's log alone.
  const known: Partial<Record<EventType, unknown>> = handlers;
  (known[frame.type] as ((id: string, data: unknown) => void) | undefined)?.(id, frame.data);
}

/** Takes new text of a message. */
export function sessionText(id: string, message: string, text: string): void {
  const session = readySession(id);
  if (!session) return;
  openLog().append(message, text);
  // Text is its own progress.
  if (session.turn.phase === 'running' && session.turn.progress !== null) session.turn.progress = null;
}

/** Takes what the running turn says of itself. Of one that was stopped or has ended it comes too late. */
export function sessionProgress(id: string, { turnId, text }: Progress): void {
  const session = readySession(id);
  if (session?.turn.phase === 'running' && isUnderWay(turnId)) session.turn.progress = text;
}
