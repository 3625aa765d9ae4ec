import { getConversation } from '@/api/conversations';
import { chatMessage } from '@/lib/chat-message';
import { largestPage, messagePage, openLog, readySession, type SessionState } from './session';

type Ready = Extract<SessionState, { phase: 'ready' }>;

/**
 * Fetches the messages before the loaded ones, one page at a time. `far`: as many as possible in one answer,
 * because the wanted message may be anywhere.
 */
export async function loadEarlier(id: string, far = false): Promise<void> {
  const session = readySession(id);
  if (!session || session.earlier.before === null || session.earlier.status === 'loading') return;
  const { before } = session.earlier;
  session.earlier.status = 'loading';
  // The conversation may be fetched again, or another one opened, before the answer arrives.
  const current = (): Ready | null => {
    const now = readySession(id);
    return now?.earlier.before === before ? now : null;
  };
  try {
    const detail = await getConversation(id, { size: far ? largestPage : messagePage, before });
    const now = current();
    if (!now) return;
    if (detail.generation < now.conversation.generation) {
      // The page was read before a rewind that may have removed a part of it.
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
