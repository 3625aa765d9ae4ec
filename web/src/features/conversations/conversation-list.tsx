import { Button, Heading, IconButton, Skeleton, Tooltip } from '@radix-ui/themes';
import { MessagesSquare, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { useSnapshot } from 'valtio';
import { EmptyState } from '@/components/empty-state/empty-state';
import { isFirstLoad } from '@/lib/load-status';
import { paths } from '@/lib/paths';
import { useNow } from '@/lib/use-now';
import {
  conversationScopes,
  conversationsState,
  loadConversations,
  loadMoreConversations,
} from '@/stores/conversations-store';
import { ConversationListItem } from './conversation-list-item';
import styles from './conversations.module.css';

type Scope = (typeof conversationScopes)[number];

const labels: Record<Scope, string> = {
  all: 'All',
  favorite: 'Favorite',
  user: 'User',
  shared: 'Shared',
  archived: 'Archived',
};

const emptyTexts: Record<Scope, string> = {
  all: 'Conversations that you start stand here, the latest first.',
  favorite: 'Mark a conversation with the star to find it here.',
  user: 'You have not started a conversation yet.',
  shared: 'Conversations that others share with you stand here.',
  archived: 'Conversations that you archive stand here.',
};

/** The panel of conversations with its filters. */
export function ConversationList({ narrow }: { narrow: boolean }) {
  const [scope, setScope] = useState<Scope>('all');

  useEffect(() => {
    void loadConversations(scope);
  }, [scope]);

  return (
    <section className={styles.panel} data-narrow={narrow} aria-label="Conversation list">
      <div className={styles.panelHead}>
        <div className={styles.panelTitle}>
          <Heading as={narrow ? 'h1' : 'h2'} size="4">
            Conversations
          </Heading>
          <Tooltip content="New conversation">
            <IconButton asChild variant="soft" aria-label="New conversation">
              <Link to={paths.newConversation()}>
                <Plus size={18} />
              </Link>
            </IconButton>
          </Tooltip>
        </div>
        <div className={styles.filters} role="tablist" aria-label="Filter conversations">
          {conversationScopes.map((value) => (
            <button
              key={value}
              type="button"
              role="tab"
              className={styles.filter}
              aria-selected={scope === value}
              aria-controls="conversation-items"
              onClick={() => setScope(value)}
            >
              {labels[value]}
            </button>
          ))}
        </div>
      </div>
      <Items scope={scope} />
    </section>
  );
}

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f'];

function Items({ scope }: { scope: Scope }) {
  const list = useSnapshot(conversationsState.lists[scope]);
  const now = useNow();

  if (isFirstLoad(list.status)) {
    return (
      <div className={styles.items} id="conversation-items" role="status" aria-label="Loading conversations">
        {skeletonRows.map((key) => (
          <div key={key} className={styles.item}>
            <Skeleton height="18px" width="70%" mb="2" />
            <Skeleton height="14px" width="40%" />
          </div>
        ))}
      </div>
    );
  }
  if (list.ids.length === 0) {
    return (
      <div className={styles.items} id="conversation-items">
        {list.status === 'failed' ? (
          <EmptyState
            icon={<MessagesSquare size={22} />}
            title="The conversations could not be loaded"
            action={
              <Button variant="soft" onClick={() => void loadConversations(scope)}>
                Try again
              </Button>
            }
          />
        ) : (
          <EmptyState icon={<MessagesSquare size={22} />} title="No conversations">
            {emptyTexts[scope]}
          </EmptyState>
        )}
      </div>
    );
  }
  return (
    <ul className={styles.items} id="conversation-items" aria-label={`${labels[scope]} conversations`}>
      {list.ids.map((id) => (
        <ConversationListItem key={id} id={id} now={now} />
      ))}
      {list.nextPage !== null && (
        <li>
          <Button
            variant="ghost"
            mx="3"
            my="2"
            loading={list.status === 'updating'}
            onClick={() => void loadMoreConversations(scope)}
          >
            Load More
          </Button>
        </li>
      )}
    </ul>
  );
}
