import { streamUrl } from '@/api/user';
import type { ConversationChange, MessageNote, Progress, StreamingComplete } from '@/lib/events';
import type { EventFrame, EventType } from '@/stream/frames';
import { closeLine, openLine, renewLine, wakeLine } from '@/stream/line';
import type { ConnectionState } from '@/stream/stream-options';
import { connectionChanged } from './connection-store';
import {
  catchUp,
  forgetPresence,
  loseConversation,
  patchSession,
  readySession,
  refetch,
  sessionEvent,
  sessionPresence,
  sessionProgress,
  sessionText,
} from './conversation-session';
import {
  fetchConversation,
  forgetConversation,
  messageArrived,
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

function conversationChanged(data: ConversationChange): void {
  const { accessChanged, ...changes } = data;
  patchSession(data.id, changes);
  const known = patchConversation(data.id, watched(data.id) ? { ...changes, unreadMessages: 0 } : changes);
  // The event carries what changed, not the whole: a new or newly shared one has to be fetched.
  if (!known || accessChanged === true) void fetchConversation(data.id);
}

function streamingComplete(data: StreamingComplete): void {
  patchConversation(data.conversationId, { isStreaming: false, credits: data.credits });
  if (watched(data.conversationId)) void readConversation(data.conversationId, true);
}

function messageNoted(data: MessageNote, at: string): void {
  const unread = data.role !== 'user' && !watched(data.conversationId);
  const known = messageArrived(data.conversationId, data.streaming, unread, at);
  if (!known) void fetchConversation(data.conversationId);
}

/** What the person's own log means to the stores: the one table from server event to store action. */
const userEvents: Record<EventType, (data: never, at: string) => void> = {
  'conversation.created': conversationChanged,
  'conversation.updated': conversationChanged,
  'conversation.deleted': (data: { id: string }) => forgetConversation(data.id),
  'conversation.streaming-complete': streamingComplete,
  'conversation.rewound': () => undefined,
  'message.created': messageNoted,
  'message.updated': () => undefined,
};

function userEvent(frame: EventFrame): void {
  (userEvents[frame.type] as (data: unknown, at: string) => void)(frame.data, frame.at);
}

function lineChanged(connection: ConnectionState): void {
  const recovered = connectionChanged(connection);
  if (connection.phase !== 'open') forgetPresence();
  // The cursor brings what was missed; the running flags of other conversations are asked again.
  if (recovered) void refreshRunning();
  // What happened between the first fetch of the lists and the first hello is in no event.
  else if (connection.phase === 'open') void refreshConversations();
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

/** Opens the line of this person, and brings what it says to the stores. */
export function startStream(userUuid: string): void {
  openLine({
    url: streamUrl(userUuid),
    bearer: bearerNow,
    onBearerEnded: (bearer) => void bearerRefused(bearer),
    handlers: {
      onUserEvent: userEvent,
      onConversationEvent: sessionEvent,
      onText: sessionText,
      onProgress: (id, data) => sessionProgress(id, (data as Progress).text),
      onPresence: sessionPresence,
      onReset: (id) => void refetch(id),
      onDenied: (id) => {
        loseConversation(id);
        forgetConversation(id);
      },
      onResync: () => void refreshConversations(),
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
