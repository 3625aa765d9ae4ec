import { proxy } from 'valtio';
import { listConversationDataSources } from '@/api/conversations';
import { ApiError } from '@/api/errors';
import { atSignOut } from '@/lib/at-sign-out';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { DataSource } from '@/lib/wire';

/**
 * The connectors of conversations from the server: readers of a shared conversation also see connectors there that
 * are not in their own list.
 */
interface ConversationSourcesState {
  byConversation: Record<string, DataSource[]>;
}

const state = proxy<ConversationSourcesState>({ byConversation: {} });

export const conversationSourcesState: DeepReadonly<ConversationSourcesState> = state;

/** Loads the connectors of a conversation. */
export async function loadConversationSources(conversation: string): Promise<void> {
  try {
    state.byConversation[conversation] = (await listConversationDataSources(conversation)).results;
  } catch (error) {
    // Connectors that may no longer be read are not shown from an earlier answer.
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) {
      state.byConversation[conversation] = [];
    }
    // The tab shows the connectors of the person's own list; the others are fetched again on the next visit.
  }
}

function resetConversationSources(): void {
  state.byConversation = {};
}

atSignOut(resetConversationSources);
