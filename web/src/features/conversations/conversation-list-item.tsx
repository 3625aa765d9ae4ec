import { Spinner, Text } from '@radix-ui/themes';
import { Star, Users } from 'lucide-react';
import { memo } from 'react';
import { NavLink } from 'react-router';
import { useSnapshot } from 'valtio';
import type { ConversationGroup } from '@/lib/conversation-groups';
import { formatMoment, formatShortMoment } from '@/lib/format';
import { paths } from '@/lib/paths';
import { conversationList as t } from '@/messages/conversation-list';
import { conversationsState } from '@/stores/conversations-store';
import { ConversationMenu } from './conversation-menu';
import styles from './conversation-list.module.css';

interface ConversationListItemProps {
  id: string;
  group: ConversationGroup;
  /** The current time, to decide whether a time is in this year. */
  now: number;
  /** The parameters of the list in the address; the link keeps them. */
  listSearch: string;
}

/**
 * One conversation of the list. It subscribes only to itself, so that twenty streaming conversations do not render
 * each other.
 */
export const ConversationListItem = memo(function ConversationListItem({
  id,
  group,
  now,
  listSearch,
}: ConversationListItemProps) {
  const conversation = useSnapshot(conversationsState).byId[id];
  if (!conversation) return null;
  const { name, ownerStatus, owner, isFavorite, isStreaming, updatedAt } = conversation;
  const unread = conversation.unreadMessages > 0 && !isStreaming;
  return (
    <div className={styles.row}>
      <NavLink
        to={paths.conversation(id) + listSearch}
        className={styles.item ?? ''}
        title={name}
        data-conversation=""
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
      <span className={styles.rowMenu}>
        <ConversationMenu conversation={conversation} inList />
      </span>
    </div>
  );
});
