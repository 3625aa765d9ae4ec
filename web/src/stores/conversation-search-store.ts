import { listConversations } from '@/api/conversations';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection } from '@/lib/collection';
import type { Conversation } from '@/lib/wire';

/** The search of the command palette in all conversations; the list of conversations has a separate search. */
export const conversationSearch = new Collection<Conversation, { search: string }>({
  list: ({ search }, page) => listConversations('all', page, search),
});

atSignOut(() => conversationSearch.reset());
