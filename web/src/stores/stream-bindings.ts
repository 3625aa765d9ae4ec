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
import { refreshFollowers, tellFollowers } from '@/lib/follow-stream';
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

/** What each person keeps for themselves, and who may see it: a change of these alone makes no conversation more recent. */
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
  // The event carries what changed, not the whole: a new or newly shared one has to be fetched.
  if (!known || accessChanged === true) void fetchConversation(data.id);
}

/** The server counts an answer as unread when it ends, for every reader but the owner who has stopped it. */
function streamingComplete(
  { conversationId: id, status, credits }: StreamingComplete,
  { seq, at }: EventFrame,
): void {
  const own = conversationsState.byId[id]?.ownerStatus === 'owner';
  const unread = !watched(id) && !(own && status === 'stopped');
  const known = knowsOf(id, seq) || answerEnded(id, at, credits, unread);
  // The list that would know of it may have been read before it, and be on its way.
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
  // Held from a later answer, it was shared again.
  if (!knowsOf(id, seq)) forgetConversation(id);
}

/** What is said of a task to somebody who is elsewhere; the words come when there is something to say. */
const taskNotes = () => import('./task-notes');

/** What the person's own log means to the stores: the one table from server event to store action. */
const userEvents: Record<EventType, (data: never, frame: EventFrame) => void> = {
  'conversation.created': conversationChanged,
  'conversation.updated': conversationChanged,
  'conversation.deleted': conversationDeleted,
  'conversation.streaming-complete': streamingComplete,
  'conversation.rewound': conversationRewound,
  'message.created': messageNoted,
  'message.updated': () => undefined,
  // What lists and histories make of these is said in their own stores.
  'task.created': () => undefined,
  'task.updated': () => undefined,
  'task.deleted': () => undefined,
  'task.run-started': () => undefined,
  'task.run-failed': (data: TaskRunNote) => void taskNotes().then(({ sayRunFailed }) => sayRunFailed(data)),
  'task.switched-off': (data: TaskNote) =>
    void taskNotes().then(({ saySwitchedOff }) => saySwitchedOff(data)),
};

function userEvent(frame: EventFrame): void {
  (userEvents[frame.type] as (data: unknown, frame: EventFrame) => void)(frame.data, frame);
  tellFollowers(frame.type, frame.data);
}

/** Asks again for what events tell of, where some of them may have been missed. */
function refreshLists(): void {
  void refreshConversations();
  refreshFollowers();
}

function lineChanged(connection: ConnectionState): void {
  const recovered = connectionChanged(connection);
  if (connection.phase !== 'open') forgetPresence();
  // The cursor brings what was missed; the running flags of other conversations are asked again.
  if (recovered) void refreshRunning();
  if (connection.phase === 'open') {
    void catchUp();
    retryDisplayObjects();
  }
  // A browser does not tell a page why the server would not open a stream. If it was the bearer, this call hears it,
  // and the newer one that follows brings the stream back.
  if (connection.phase === 'retrying' && connection.attempt > 0) void sendKeepAlive();
  if (connection.phase !== 'lost') return;
  endSession(
    connection.because === 'sign-in' ? 'E401' : connection.because === 'forbidden' ? 'U401' : 'S429',
  );
}

/**
 * Opens the line of this person, and brings what it says to the stores. It tells what happened behind `from` in the
 * person's log: a list that was asked for later than the server said that place needs not be asked for again.
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

/** The machine woke up, is online again, or somebody looks at the page: sign-in and stream look at the clock. */
export function wakeUp(): void {
  signInStep({ type: 'wake' });
  wakeLine();
}

atSignOut(stopStream);
