import { searchMessages } from '@/api/message-search';
import { atSignOut } from '@/lib/at-sign-out';
import { Collection } from '@/lib/collection';
import type { FoundMessage } from '@/lib/wire';

/** A message as one search found it: another search finds another part of its text. */
export interface FoundEntry extends FoundMessage {
  messageId: string;
}

/** With fewer characters, nearly every message would be found. */
const searchedFrom = 3;

/** The search in what was asked and answered. */
export const messageSearch = new Collection<FoundEntry, { search: string }>({
  list: async ({ search }) => {
    if (search.length < searchedFrom)
      return { results: [], pagination: { count: 0, next: null, previous: null } };
    const found = await searchMessages(search);
    return {
      ...found,
      results: found.results.map((message) => ({
        ...message,
        id: `${message.id} ${search}`,
        messageId: message.id,
      })),
    };
  },
});

atSignOut(() => messageSearch.reset());
