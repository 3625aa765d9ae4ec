import { getConversation } from '@/api/conversations';
import { chatMessage } from '@/lib/chat-message';
import { largestPage, messagePage, openLog, readySession, type SessionState } from './session';

type Ready = Extract<SessionState, { phase: 'ready' }>;

/**
 * Fetches the messages before those that are held, one page at a time. `far`: as many as there are in one answer,
 * because what is searched for may be anywhere.
 */
export async function loadEarlier(id: string, far = false): Promise<void> {
  const session = readySession(id);
  if (!session || session.earlier.before === null || session.earlier.status === 'loading') return;
  const { before } = session.earlier;
  session.earlier.status = 'loading';
  // What is shown may be fetched again, or another conversation opened, before the answer comes.
  const current = (): Ready | null => {
    const now = readySession(id);
    return now?.earlier.before === before ? now : null;
  };
  try {
    const detail = await getConversation(id, { size: far ? largestPage : messagePage, before });
    const now = current();
    if (!now) return;
    if (detail.generation < now.conversation.generation) {
      // It was read before a rewind that may have cut into it.
      now.earlier.status = 'idle';
      return;
    }
    openLog().addEarlier(detail.messageSet.map(chatMessage));
    now.earlier = { before: detail.earlierMessages ?? null, status: 'idle' };
  } catch {
    const now = current();
    if (now) now.earlier.status = 'failed';
  }
}
