import { streamUrl } from '@/api/user';
import { atSignOut } from '@/lib/at-sign-out';
import type {
  ConversationChange,
  MessageNote,
  Progress,
  RewindNote,
  StreamingComplete,
  TaskNote,
  TaskRunNote,
} from '@/lib/events';
import { refreshFollowers, notifyFollowers } from '@/lib/follow-stream';
import type { EventFrame, EventType } from '@/stream/frames';
import { closeLine, openLine, renewLine, wakeLine } from '@/stream/line';
import type { ConnectionState } from '@/stream/stream-options';
import { connectionChanged } from './connection-store';
import {
  catchUp,
  conversationForbidden,
  forgetPresence,
  patchSession,
  readySession,
  refetch,
  sessionEvent,
  sessionPresence,
  sessionProgress,
  sessionText,
} from './conversation-session';
import {
  answerEnded,
  conversationsState,
  conversationUsed,
  fetchConversation,
  forgetConversation,
  knowsOf,
  patchConversation,
  readConversation,
  refreshConversations,
  refreshRunning,
} from './conversations-store';
import { retryDisplayObjects } from './display-objects-store';
import { bearerNow, bearerRefused, endSession, onNewBearer, sendKeepAlive, signInStep } from './me-store';

/** Whether the person is looking at this conversation now. */
function watched(id: string): boolean {
  return readySession(id) !== null && !document.hidden;
}

/** Fields for a single person, and the access: a change of only these does not make a conversation more recent. */
const asideFields: ReadonlySet<string> = new Set([
  ...['id', 'isFavorite', 'status', 'unreadMessages'],
  'accessChanged',
]);

function conversationChanged(data: ConversationChange, { seq, at }: EventFrame): void {
  const { accessChanged, ...changes } = data;
  patchSession(data.id, changes);
  if (knowsOf(data.id, seq)) return;
  const shown = watched(data.id) ? { ...changes, unreadMessages: 0 } : changes;
  const aside = Object.keys(data).every((field) => asideFields.has(field));
  const known = aside ? patchConversation(data.id, shown) : conversationUsed(data.id, at, shown);
  // The event contains only the changed fields: a new or newly shared conversation must be fetched.
  if (!known || accessChanged === true) void fetchConversation(data.id);
}

/** The server counts an answer as unread when it ends, for every reader except the owner if it was stopped. */
function streamingComplete(
  { conversationId: id, status, credits }: StreamingComplete,
  { seq, at }: EventFrame,
): void {
  const own = conversationsState.byId[id]?.ownerStatus === 'owner';
  const unread = !watched(id) && !(own && status === 'stopped');
  const known = knowsOf(id, seq) || answerEnded(id, at, credits, unread);
  // The list that should contain it may have been read before it, and may still be loading.
  if (!known) void fetchConversation(id);
  if (watched(id)) void readConversation(id, true);
}

function messageNoted({ conversationId: id, streaming }: MessageNote, { seq, at }: EventFrame): void {
  const known = knowsOf(id, seq) || conversationUsed(id, at, { isStreaming: streaming });
  if (!known) void fetchConversation(id);
}

function conversationRewound({ conversationId: id }: RewindNote, { seq, at }: EventFrame): void {
  const known = knowsOf(id, seq) || conversationUsed(id, at, {});
  if (!known) void fetchConversation(id);
}

function conversationDeleted({ id }: { id: string }, { seq }: EventFrame): void {
  // If the stored state is from a later answer, it was shared again.
  if (!knowsOf(id, seq)) forgetConversation(id);
}

/** Messages about a task to a person on another page; the module is loaded when there is a message. */
const taskNotes = () => import('./task-notes');

/** The handlers for the person's own log: the single table from server events to store actions. */
const userEvents: Record<EventType, (data: never, frame: EventFrame) => void> = {
  'conversation.created': conversationChanged,
  'conversation.updated': conversationChanged,
  'conversation.deleted': conversationDeleted,
  'conversation.streaming-complete': streamingComplete,
  'conversation.rewound': conversationRewound,
  'message.created': messageNoted,
  'message.updated': () => undefined,
  // The stores of lists and histories handle these themselves.
  'task.created': () => undefined,
  'task.updated': () => undefined,
  'task.deleted': () => undefined,
  'task.run-started': () => undefined,
  'task.run-failed': (data: TaskRunNote) => void taskNotes().then(({ sayRunFailed }) => sayRunFailed(data)),
  'task.switched-off': (data: TaskNote) =>
    void taskNotes().then(({ notifySwitchedOff }) => notifySwitchedOff(data)),
};

function userEvent(frame: EventFrame): void {
  (userEvents[frame.type] as (data: unknown, frame: EventFrame) => void)(frame.data, frame);
  notifyFollowers(frame.type, frame.data);
}

/** Fetches everything that events may have changed, because events may have been missed. */
function refreshLists(): void {
  void refreshConversations();
  refreshFollowers();
}

function lineChanged(connection: ConnectionState): void {
  const recovered = connectionChanged(connection);
  if (connection.phase !== 'open') forgetPresence();
  // Missed events are sent again from the cursor; the running flags of other conversations must be fetched again.
  if (recovered) void refreshRunning();
  if (connection.phase === 'open') {
    void catchUp();
    retryDisplayObjects();
  }
  // A browser does not tell a page why the server would not open a stream. If the bearer was the reason, this call
  // gets the refusal, and the renewed bearer restores the stream.
  if (connection.phase === 'retrying' && connection.attempt > 0) void sendKeepAlive();
  if (connection.phase !== 'lost') return;
  endSession(
    connection.because === 'sign-in' ? 'E401' : connection.because === 'forbidden' ? 'U401' : 'S429',
  );
}

/**
 * Opens the connection of this person, and passes its events to the stores. It delivers the events after `from` in
 * the person's log: a list that was requested after the server had reported this position need not be fetched
 * again.
 */
export function startStream(userUuid: string, from: number): void {
  openLine({
    url: streamUrl(userUuid),
    from,
    bearer: bearerNow,
    onBearerEnded: (bearer) => void bearerRefused(bearer),
    handlers: {
      onUserEvent: userEvent,
      onConversationEvent: sessionEvent,
      onText: sessionText,
      onProgress: (id, data) => sessionProgress(id, data as Progress),
      onPresence: sessionPresence,
      onReset: (id) => void refetch(id),
      onDenied: (id) => {
        conversationForbidden(id);
        forgetConversation(id);
      },
      onResync: refreshLists,
      onState: lineChanged,
    },
  });
}

export function stopStream(): void {
  closeLine();
}

onNewBearer(renewLine);

/** The machine woke up, is online again, or the page is shown again: sign-in and stream check the clock. */
export function wakeUp(): void {
  signInStep({ type: 'wake' });
  wakeLine();
}

atSignOut(stopStream);
