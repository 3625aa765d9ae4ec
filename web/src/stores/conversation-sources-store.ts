import { proxy } from 'valtio';
import { listConversationDataSources } from '@/api/conversations';
import { ApiError } from '@/api/errors';
import { atSignOut } from '@/lib/at-sign-out';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { DataSource } from '@/lib/wire';

/**
 * The connectors of conversations as the server answers them: who reads a shared conversation sees
 * there also connectors that are not in their own list.
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
    // What may not be read any more is not shown from before.
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) {
      state.byConversation[conversation] = [];
    }
    // The tab shows those of the person's own list; the others are tried again with the next visit.
  }
}

function resetConversationSources(): void {
  state.byConversation = {};
}

atSignOut(resetConversationSources);
