import { listConversations } from '@/api/conversations';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection } from '@/lib/collection';
import type { Conversation } from '@/lib/wire';

/** What the command palette finds of all conversations; the list beside them has a search of its own. */
export const conversationSearch = new Collection<Conversation, { search: string }>({
  list: ({ search }, page) => listConversations('all', page, search),
});

atSignOut(() => conversationSearch.reset());
