import { Button, Heading, IconButton, TextField, Tooltip } from '@radix-ui/themes';
import { Plus, Search, X } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { useSnapshot } from 'valtio';
import {
  conversationScope,
  conversationScopes,
  listSearch,
  type ConversationScope,
} from '@/lib/conversation-list';
import { paths } from '@/lib/paths';
import { searchMax } from '@/lib/search';
import { useListAddress } from '@/lib/use-address';
import { useDebounced } from '@/lib/use-debounced';
import { useTitle } from '@/lib/use-title';
import {
  conversationsState,
  forgetSearch,
  loadConversations,
  loadMoreConversations,
  searchConversations,
  searchMoreConversations,
} from '@/stores/conversations-store';
import { ConversationItems } from './conversation-items';
import styles from './conversations.module.css';

const labels: Record<ConversationScope, string> = {
  all: 'All',
  favorite: 'Favorite',
  user: 'User',
  shared: 'Shared',
  archived: 'Archived',
};

const emptyTexts: Record<ConversationScope, string> = {
  all: 'Conversations that you start stand here, the latest first.',
  favorite: 'Mark a conversation with the star to find it here.',
  user: 'You have not started a conversation yet.',
  shared: 'Conversations that others share with you stand here.',
  archived: 'Conversations that you archive stand here.',
};

/** The panel of conversations with its filters and its search. */
export function ConversationList({ narrow }: { narrow: boolean }) {
  const { held, change, words, setWords } = useListAddress();
  const scope = conversationScope(held);
  const search = useDebounced(words.trim());
  useTitle(narrow ? 'Conversations' : null);

  useEffect(() => {
    if (search === '') forgetSearch();
  }, [search]);

  return (
    <section className={styles.panel} data-narrow={narrow} aria-label="Conversation list">
      <div className={styles.panelHead}>
        <div className={styles.panelTitle}>
          <Heading as={narrow ? 'h1' : 'h2'} size="4">
            Conversations
          </Heading>
          <Tooltip content="New conversation">
            <IconButton asChild variant="soft" aria-label="New conversation">
              <Link to={paths.newConversation() + listSearch(held)}>
                <Plus size={18} />
              </Link>
            </IconButton>
          </Tooltip>
        </div>
        <TextField.Root
          placeholder="Search conversations"
          aria-label="Search conversations"
          maxLength={searchMax}
          value={words}
          onChange={(event) => setWords(event.target.value)}
        >
          <TextField.Slot>
            <Search size={16} />
          </TextField.Slot>
          {words !== '' && (
            <TextField.Slot side="right">
              <IconButton size="1" variant="ghost" aria-label="Clear the search" onClick={() => setWords('')}>
                <X size={14} />
              </IconButton>
            </TextField.Slot>
          )}
        </TextField.Root>
        <div className={styles.filters} role="tablist" aria-label="Filter conversations">
          {conversationScopes.map((value) => (
            <button
              key={value}
              type="button"
              role="tab"
              className={styles.filter}
              aria-selected={scope === value}
              aria-controls="conversation-items"
              onClick={() => change({ filter: value === 'all' ? null : value })}
            >
              {labels[value]}
            </button>
          ))}
        </div>
      </div>
      {search === '' || words.trim() === '' ? (
        <ScopeItems scope={scope} narrow={narrow} />
      ) : (
        <FoundItems scope={scope} words={search} />
      )}
    </section>
  );
}

/** The conversations of a filter, which loads when it is first looked at. */
function ScopeItems({ scope, narrow }: { scope: ConversationScope; narrow: boolean }) {
  const list = useSnapshot(conversationsState.lists[scope]);

  useEffect(() => {
    void loadConversations(scope);
  }, [scope]);

  return (
    <ConversationItems
      label={`${labels[scope]} conversations`}
      list={list}
      emptyTitle="No conversations"
      emptyText={emptyTexts[scope]}
      // Beside an open conversation the page itself says how to begin.
      emptyAction={
        narrow &&
        scope === 'all' && (
          <Button asChild>
            <Link to={paths.newConversation()}>Start new conversation</Link>
          </Button>
        )
      }
      onRetry={() => void loadConversations(scope)}
      onMore={() => void loadMoreConversations(scope)}
    />
  );
}

/** The conversations of a filter whose name or description holds the words. */
function FoundItems({ scope, words }: { scope: ConversationScope; words: string }) {
  const { found } = useSnapshot(conversationsState);

  useEffect(() => {
    void searchConversations(scope, words);
  }, [scope, words]);

  return (
    <ConversationItems
      label="Conversations found"
      list={found}
      emptyTitle="No results found"
      emptyText="Change search request and try again"
      onRetry={() => void searchConversations(scope, words)}
      onMore={() => void searchMoreConversations()}
    />
  );
}
