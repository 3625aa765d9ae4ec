import {
  archiveConversation,
  changeListed,
  patchConversation,
  toggleFavorite,
} from '@/stores/conversations-store';
import {
  patchSession,
  readySession,
  rewindTo,
  stopTurn,
  updateConversation,
} from '@/stores/conversation-session';
import { restoreDraft } from '@/stores/drafts-store';
import type { ConversationChanges, ConversationStatus } from '@/lib/wire';

/*
 * Actions that affect both the list and the open conversation. The two stores are independent of each other; the
 * feature that shows both keeps them consistent.
 */

/** Marks or unmarks, in the header and in the list. */
export async function favorite(id: string, isFavorite: boolean): Promise<void> {
  patchSession(id, { isFavorite });
  if (!(await toggleFavorite(id, isFavorite))) patchSession(id, { isFavorite: !isFavorite });
}

/** Archives or restores. */
export async function setArchived(id: string, status: ConversationStatus): Promise<boolean> {
  const done = await archiveConversation(id, status);
  if (done) patchSession(id, { status });
  return done;
}

/** Changes the open conversation, or one that is only in the list. Returns whether it was done. */
async function change(id: string, changes: ConversationChanges): Promise<boolean> {
  if (!readySession(id)) return changeListed(id, changes);
  const done = await updateConversation(id, changes);
  if (done) patchConversation(id, changes);
  return done;
}

/** Renames it. */
export function rename(id: string, name: string): Promise<boolean> {
  return change(id, { name });
}

/** Assigns it to exactly these projects. */
export function setProjects(id: string, projectLabels: number[]): Promise<boolean> {
  return change(id, { projectLabels });
}

/** Stops the answer; its prompt is put back into the draft. */
export async function stop(id: string): Promise<void> {
  const prompt = await stopTurn(id);
  if (prompt !== null) restoreDraft(id, prompt);
}

/** Removes the message and all after it; its prompt is put back into the draft. */
export async function rewind(id: string, messageId: string): Promise<boolean> {
  const prompt = await rewindTo(id, messageId);
  if (prompt === null) return false;
  restoreDraft(id, prompt);
  return true;
}
