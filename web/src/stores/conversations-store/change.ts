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
 * Marks a conversation as read, here and on the server. An answer that a person watched was never unread here, but
 * the server has counted it: with `watched` it is reported anyway.
 */
export async function readConversation(id: string, watched = false): Promise<void> {
  const conversation = state.byId[id];
  if (!conversation || (conversation.unreadMessages === 0 && !watched)) return;
  conversation.unreadMessages = 0;
  try {
    await markRead(id);
  } catch {
    // It is marked as read here in any case; the count of the server is corrected on the next visit.
  }
}

/**
 * Sets the favorite flag at once, reverts it if the server refuses, and fails then. The caller tells the person,
 * who may have marked several.
 */
export async function markFavorite(id: string, isFavorite: boolean): Promise<void> {
  patchConversation(id, { isFavorite });
  try {
    await setFavorite(id, isFavorite);
  } catch (error) {
    patchConversation(id, { isFavorite: !isFavorite });
    throw error;
  }
}

/** The same for one conversation, with a message if it fails. */
export async function toggleFavorite(id: string, isFavorite: boolean): Promise<boolean> {
  try {
    await markFavorite(id, isFavorite);
    return true;
  } catch {
    notify.error(t('favorite.failed'));
    return false;
  }
}

/** Archives or restores it, for this person only. Fails with the server's message, and tells the person nothing. */
export async function moveConversation(id: string, status: ConversationStatus): Promise<void> {
  await setStatus(id, status);
  patchConversation(id, { status });
}

/** The same for one conversation, with a message of how it went. */
export async function archiveConversation(id: string, status: ConversationStatus): Promise<boolean> {
  try {
    await moveConversation(id, status);
  } catch {
    notify.error(t(status === 'archived' ? 'archive.failed' : 'unarchive.failed'));
    return false;
  }
  notify.success(t(status === 'archived' ? 'archive.done' : 'unarchive.done'));
  return true;
}

/**
 * Changes a conversation of the list at once, and reverts the change if the server refuses. Returns whether it was
 * done.
 */
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

/** Makes a copy for this person under a name, and returns its id; `null` if that failed. */
export async function duplicateConversation(id: string, name: string): Promise<string | null> {
  let copy: Conversation;
  try {
    // If it is pressed again after the answer was lost, it is the same copy.
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

/** Deletes it permanently, for all users. */
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
