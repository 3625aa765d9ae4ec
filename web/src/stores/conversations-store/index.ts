import type { DeepReadonly } from '@/lib/deep-readonly';
import { state, type ConversationsState } from './state';

export type { ConversationsState };

export const conversationsState: DeepReadonly<ConversationsState> = state;

export {
  answerEnded,
  conversationUsed,
  forgetConversation,
  knowsOf,
  patchConversation,
  putConversation,
  resetConversations,
} from './state';
export {
  fetchConversation,
  forgetSearch,
  loadConversations,
  loadMoreConversations,
  refreshConversations,
  refreshRunning,
  searchConversations,
  searchMoreConversations,
} from './lists';
export {
  archiveConversation,
  changeListed,
  duplicateConversation,
  markFavorite,
  moveConversation,
  readConversation,
  removeConversation,
  toggleFavorite,
} from './change';
