import { copyConversation, deleteConversation, markRead, setFavorite, setStatus } from '@/api/conversations';
import type { ConversationStatus } from '@/lib/wire';
import { notify } from '@/lib/notify';
import { uuidv7 } from '@/lib/uuid';
import { forgetConversation, patchConversation, putConversation, state } from './state';

/**
 * Marks a conversation as read, here and on the server. What a person watched arriving was never
 * unread here, but the server has counted it: `watched` tells it all the same.
 */
export async function readConversation(id: string, watched = false): Promise<void> {
  const conversation = state.byId[id];
  if (!conversation || (conversation.unreadMessages === 0 && !watched)) return;
  conversation.unreadMessages = 0;
  try {
    await markRead(id);
  } catch {
    // It is read on this screen in any case; the server's count is corrected by the next visit.
  }
}

/** Flips the favorite flag at once, and back if the server refuses. */
export async function toggleFavorite(id: string, isFavorite: boolean): Promise<boolean> {
  patchConversation(id, { isFavorite });
  try {
    await setFavorite(id, isFavorite);
    return true;
  } catch {
    patchConversation(id, { isFavorite: !isFavorite });
    notify.error('Failed to favorite conversation');
    return false;
  }
}

/** Archives, or brings back, for this person alone. */
export async function archiveConversation(id: string, status: ConversationStatus): Promise<boolean> {
  try {
    await setStatus(id, status);
  } catch {
    notify.error(
      status === 'archived' ? 'Failed to archive conversation' : 'Failed to unarchive conversation',
    );
    return false;
  }
  patchConversation(id, { status });
  notify.success(
    status === 'archived' ? 'Conversation archived successfully' : 'Conversation unarchived successfully',
  );
  return true;
}

/** Makes a copy of one's own, and answers its id. */
export async function duplicateConversation(id: string): Promise<string | null> {
  try {
    const copy = await copyConversation(id, uuidv7());
    putConversation({ ...copy, messageSet: [] });
    notify.success('Conversation duplicated successfully');
    return copy.id;
  } catch {
    notify.error('Failed to duplicate conversation');
    return null;
  }
}

/** Deletes for everybody, for good. */
export async function removeConversation(id: string): Promise<boolean> {
  try {
    await deleteConversation(id);
  } catch {
    notify.error('Failed to delete conversation');
    return false;
  }
  forgetConversation(id);
  notify.success('Conversation deleted successfully');
  return true;
}
