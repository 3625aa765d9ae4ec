import { Button, Heading, Skeleton } from '@radix-ui/themes';
import { MessagesSquare } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { Virtuoso, type Components } from 'react-virtuoso';
import { useSnapshot } from 'valtio';
import { EmptyState } from '@/components/empty-state/empty-state';
import { listSearch } from '@/lib/conversation-list';
import { isFirstLoad, type LoadStatus } from '@/lib/load-status';
import { useNow } from '@/lib/use-now';
import { common } from '@/messages/common';
import { conversationList as t } from '@/messages/conversation-list';
import { conversationsState } from '@/stores/conversations-store';
import { ConversationListItem } from './conversation-list-item';
import { rowsOf, type ListRow } from './conversation-rows';
import type { ListName } from './list-name';
import { useListKeys } from './use-list-keys';
import styles from './conversation-list.module.css';

interface ConversationItemsProps {
  /** The results of a search are not grouped by days. */
  name: ListName;
  /** Accessible name of the list. */
  label: string;
  list: { readonly status: LoadStatus; readonly ids: readonly string[]; readonly nextPage: number | null };
  emptyTitle: string;
  emptyText: string;
  /** The action to create a first entry, if the list offers one. */
  emptyAction?: ReactNode;
  onRetry: () => void;
  onMore: () => void;
}

const skeletonRows = ['a', 'b', 'c', 'd', 'e', 'f'];
/** Above this number of rows only those in view are rendered. */
const drawnAtOnce = 120;

/** Conversations one below the other, as far as they are loaded. */
export function ConversationItems(props: ConversationItemsProps) {
  const { name, label, list, emptyTitle, emptyText, emptyAction, onRetry, onMore } = props;
  const now = useNow();
  const [address] = useSearchParams();
  const { byId } = useSnapshot(conversationsState);
  const rows = rowsOf(list.ids, byId, now, name !== 'found');
  const place = useListKeys(name);

  if (isFirstLoad(list.status)) {
    return (
      <div className={styles.items} role="status" aria-label={t('loading')}>
        {skeletonRows.map((key) => (
          <div key={key} className={styles.skeleton}>
            <Skeleton height="16px" width="65%" />
            <Skeleton height="14px" width="48px" />
          </div>
        ))}
      </div>
    );
  }
  if (list.ids.length === 0) {
    return (
      <div className={styles.items}>
        {list.status === 'failed' ? (
          <EmptyState
            icon={<MessagesSquare size={22} />}
            title={t('failed')}
            action={
              <Button variant="soft" onClick={onRetry}>
                {common('retry')}
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

  const drawn = (row: ListRow): ReactNode =>
    row.kind === 'group' ? (
      <Heading as="h3" size="1" weight="medium" className={styles.group ?? ''}>
        {t(`group.${row.group}`)}
      </Heading>
    ) : (
      <ConversationListItem
        list={name}
        id={row.id}
        group={row.group}
        now={now}
        listSearch={listSearch(address)}
      />
    );
  const more = list.nextPage !== null && (
    <Button variant="ghost" mx="3" my="2" loading={list.status === 'updating'} onClick={onMore}>
      {t('more')}
    </Button>
  );

  if (rows.length <= drawnAtOnce) {
    return (
      <ul ref={place} className={styles.items} aria-label={label}>
        {rows.map((row) => (
          <li key={row.key}>{drawn(row)}</li>
        ))}
        {more && <li>{more}</li>}
      </ul>
    );
  }
  return (
    <div ref={place} className={styles.virtual}>
      <Virtuoso<ListRow, ListContext>
        data={rows}
        context={{ label, more }}
        computeItemKey={(_, row) => row.key}
        increaseViewportBy={400}
        itemContent={(_, row) => drawn(row)}
        components={components}
      />
    </div>
  );
}

interface ListContext {
  label: string;
  more: ReactNode;
}

function List({ context, ...rest }: ComponentProps<'ul'> & { context: ListContext }) {
  return <ul {...rest} className={styles.drawn} aria-label={context.label} />;
}

function Item({
  item: _,
  context: __,
  ...rest
}: ComponentProps<'li'> & { item: ListRow; context: ListContext }) {
  return <li {...rest} />;
}

const components = {
  List,
  Item,
  Footer: ({ context }: { context: ListContext }) => context.more,
} as unknown as Components<ListRow, ListContext>;
