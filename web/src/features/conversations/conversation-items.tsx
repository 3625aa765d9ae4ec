import { Button, Skeleton } from '@radix-ui/themes';
import { MessagesSquare } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { EmptyState } from '@/components/empty-state/empty-state';
import { listSearch } from '@/lib/conversation-list';
import { isFirstLoad, type LoadStatus } from '@/lib/load-status';
import { useNow } from '@/lib/use-now';
import { ConversationListItem } from './conversation-list-item';
import styles from './conversations.module.css';

interface ConversationItemsProps {
  /** Accessible name of the list. */
  label: string;
  list: { readonly status: LoadStatus; readonly ids: readonly string[]; readonly nextPage: number | null };
  emptyTitle: string;
  emptyText: string;
  /** The way to a first entry, where the list itself offers one. */
  emptyAction?: ReactNode;
  onRetry: () => void;
  onMore: () => void;
}

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f'];
/** The filters above the list name it as what they control. */
const elementId = 'conversation-items';

/** Conversations one below the other, as far as they are loaded. */
export function ConversationItems(props: ConversationItemsProps) {
  const { label, list, emptyTitle, emptyText, emptyAction, onRetry, onMore } = props;
  const now = useNow();
  const [address] = useSearchParams();

  if (isFirstLoad(list.status)) {
    return (
      <div className={styles.items} id={elementId} role="status" aria-label="Loading conversations">
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
      <div className={styles.items} id={elementId}>
        {list.status === 'failed' ? (
          <EmptyState
            icon={<MessagesSquare size={22} />}
            title="The conversations could not be loaded"
            action={
              <Button variant="soft" onClick={onRetry}>
                Try again
              </Button>
            }
          />
        ) : (
          <EmptyState icon={<MessagesSquare size={22} />} title={emptyTitle} action={emptyAction}>
            {emptyText}
          </EmptyState>
        )}
      </div>
    );
  }
  return (
    <ul className={styles.items} id={elementId} aria-label={label}>
      {list.ids.map((id) => (
        <ConversationListItem key={id} id={id} now={now} listSearch={listSearch(address)} />
      ))}
      {list.nextPage !== null && (
        <li>
          <Button variant="ghost" mx="3" my="2" loading={list.status === 'updating'} onClick={onMore}>
            Load More
          </Button>
        </li>
      )}
    </ul>
  );
}
