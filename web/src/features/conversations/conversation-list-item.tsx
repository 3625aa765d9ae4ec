import { Spinner, Text } from '@radix-ui/themes';
import { Star, Users } from 'lucide-react';
import { memo, type ComponentProps, type MouseEvent } from 'react';
import { NavLink } from 'react-router';
import { useSnapshot } from 'valtio';
import type { ConversationGroup } from '@/lib/conversation-groups';
import { formatMoment, formatShortMoment } from '@/lib/format';
import { paths } from '@/lib/paths';
import { shownLater } from '@/lib/shown-later';
import { conversationList as t } from '@/messages/conversation-list';
import { conversationSelection } from '@/stores/conversation-selection-store';
import { conversationsState } from '@/stores/conversations-store';
import { ConversationMenu } from './conversation-menu';
import type * as selection from './conversation-selection';
import type { ListName } from './list-name';
import { pressRow, selectionParts } from './selection-later';
import styles from './conversation-list.module.css';

// Its place is kept until it is loaded.
const RowCheck = shownLater<ComponentProps<typeof selection.RowCheck>>(
  async () => (await selectionParts.load()).RowCheck,
  () => null,
);

interface ConversationListItemProps {
  /** The list in which it is shown. */
  list: ListName;
  id: string;
  group: ConversationGroup;
  /** The current time, to decide whether a time is in this year. */
  now: number;
  /** The parameters of the list in the address; the link keeps them. */
  listSearch: string;
}

/**
 * A press that selects the row: with Shift always, and without it while conversations are selected. The keyboard
 * opens the link all the same, which is how its `detail` is 0, and other modifiers are the browser's.
 */
function selects({ detail, shiftKey, ctrlKey, metaKey, altKey }: MouseEvent, selecting: boolean): boolean {
  return detail > 0 && (shiftKey || selecting) && !ctrlKey && !metaKey && !altKey;
}

/**
 * One conversation of the list. It subscribes only to itself, so that twenty streaming conversations do not render
 * each other, and that selecting one renders no other.
 */
export const ConversationListItem = memo(function ConversationListItem({
  list,
  id,
  group,
  now,
  listSearch,
}: ConversationListItemProps) {
  const conversation = useSnapshot(conversationsState).byId[id];
  const { on: selecting, chosen } = useSnapshot(conversationSelection);
  if (!conversation) return null;
  const isChosen = chosen[id] === true;
  const { name, ownerStatus, owner, isFavorite, isStreaming, updatedAt } = conversation;
  const unread = conversation.unreadMessages > 0 && !isStreaming;
  return (
    <div className={styles.row} data-selecting={selecting} data-chosen={isChosen}>
      {selecting && <RowCheck list={list} conversation={conversation} checked={isChosen} />}
      <NavLink
        to={paths.conversation(id) + listSearch}
        className={styles.item ?? ''}
        title={name}
        data-conversation={id}
        // With Shift, the browser would mark the text from there to here.
        onMouseDown={(event) => event.shiftKey && event.preventDefault()}
        onClick={(event) => {
          if (!selects(event, selecting)) return;
          event.preventDefault();
          event.currentTarget.focus({ preventScroll: true });
          pressRow(list, id, event.shiftKey);
        }}
      >
        <span className={styles.line}>
          {unread && (
            <span className={styles.dot} role="img" aria-label={t('item.unread')} title={t('item.unread')} />
          )}
          <Text size="2" weight={unread ? 'bold' : 'regular'} className={styles.name ?? ''}>
            {name}
          </Text>
          {ownerStatus === 'shared' && (
            <Users
              size={14}
              className={styles.mark}
              aria-label={t('item.shared', { name: owner.fullName })}
            />
          )}
          {isFavorite && (
            <Star size={14} fill="currentColor" className={styles.star} aria-label={t('item.favorite')} />
          )}
          <time dateTime={updatedAt} title={formatMoment(updatedAt)} className={styles.time}>
            {formatShortMoment(updatedAt, group, now)}
          </time>
        </span>
        {isStreaming && (
          <span className={styles.working}>
            <Spinner size="1" /> {t('item.working')}
          </span>
        )}
      </NavLink>
      {!selecting && (
        <span className={styles.rowMenu}>
          <ConversationMenu conversation={conversation} inList />
        </span>
      )}
    </div>
  );
});
