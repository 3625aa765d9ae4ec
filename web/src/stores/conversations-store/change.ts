import { snapshot } from 'valtio';
import {
  changeConversation,
  copyConversation,
  deleteConversation,
  markRead,
  setFavorite,
  setStatus,
} from '@/api/conversations';
import { AttemptKey } from '@/lib/attempt-key';
import { notify } from '@/lib/notify';
import { serverMessage, withServerMessage } from '@/lib/server-message';
import type { Conversation, ConversationChanges, ConversationStatus } from '@/lib/wire';
import { conversationChanges as t } from '@/messages/conversation-changes';
import { forgetConversation, patchConversation, putConversation, state } from './state';

const copying = new AttemptKey();

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
    notify.error(t('favorite.failed'));
    return false;
  }
}

/** Archives, or brings back, for this person alone. */
export async function archiveConversation(id: string, status: ConversationStatus): Promise<boolean> {
  try {
    await setStatus(id, status);
  } catch {
    notify.error(t(status === 'archived' ? 'archive.failed' : 'unarchive.failed'));
    return false;
  }
  patchConversation(id, { status });
  notify.success(t(status === 'archived' ? 'archive.done' : 'unarchive.done'));
  return true;
}

/** Changes one of the list at once, and takes the change back where the server refuses. Answers whether it was done. */
export async function changeListed(id: string, changes: ConversationChanges): Promise<boolean> {
  const held = snapshot(state).byId[id];
  const before = Object.fromEntries(
    Object.entries(held ?? {}).filter(([field]) => field in changes),
  ) as Partial<Conversation>;
  patchConversation(id, changes);
  try {
    await changeConversation(id, changes);
    return true;
  } catch (error) {
    patchConversation(id, before);
    notify.error(serverMessage(error, t('update.failed')));
    return false;
  }
}

/** Makes a copy of one's own under a name, and answers its id; `null` where that has failed. */
export async function duplicateConversation(id: string, name: string): Promise<string | null> {
  let copy: Conversation;
  try {
    // Pressed again after an answer that was lost, it is the same copy.
    copy = await copyConversation(id, copying.of([id, name]));
  } catch (error) {
    notify.error(withServerMessage(error, t('copy.failed')));
    return null;
  }
  copying.done();
  putConversation({ ...copy, messageSet: [] });
  if (copy.name === name || (await changeListed(copy.id, { name }))) notify.success(t('copied'));
  return copy.id;
}

/** Deletes for everybody, for good. */
export async function removeConversation(id: string): Promise<boolean> {
  try {
    await deleteConversation(id);
  } catch {
    notify.error(t('delete.failed'));
    return false;
  }
  forgetConversation(id);
  notify.success(t('delete.done'));
  return true;
}
