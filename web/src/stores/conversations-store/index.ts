import type { DeepReadonly } from '@/lib/deep-readonly';
import { state, type ConversationsState } from './state';

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
  readConversation,
  removeConversation,
  toggleFavorite,
} from './change';
