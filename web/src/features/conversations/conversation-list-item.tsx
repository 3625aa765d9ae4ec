import { Spinner, Text } from '@radix-ui/themes';
import { Star, Users } from 'lucide-react';
import { memo } from 'react';
import { NavLink } from 'react-router';
import { useSnapshot } from 'valtio';
import { formatAgo } from '@/lib/format';
import { paths } from '@/lib/paths';
import { conversationsState } from '@/stores/conversations-store';
import styles from './conversations.module.css';

interface ConversationListItemProps {
  id: string;
  /** For the relative time. */
  now: number;
  /** What the address says of the list; it goes along. */
  listSearch: string;
}

/** One conversation of the list. It watches only itself: twenty that stream do not disturb each other. */
export const ConversationListItem = memo(function ConversationListItem({
  id,
  now,
  listSearch,
}: ConversationListItemProps) {
  const conversation = useSnapshot(conversationsState).byId[id];
  if (!conversation) return null;
  const unread = conversation.unreadMessages > 0;
  return (
    <li>
      <NavLink to={paths.conversation(id) + listSearch} className={styles.item ?? ''}>
        <span className={styles.itemLine}>
          <Text size="2" weight={unread ? 'bold' : 'medium'} truncate className={styles.itemName ?? ''}>
            {conversation.name}
          </Text>
          {conversation.ownerStatus === 'shared' && (
            <Users size={14} aria-label={`Shared by ${conversation.owner.fullName}`} />
          )}
          {conversation.isFavorite && (
            <Star size={14} fill="currentColor" className={styles.star} aria-label="Favorite" />
          )}
        </span>
        <span className={styles.state}>
          {conversation.isStreaming ? (
            <>
              <Spinner size="1" />
              <Text size="1" color="gray">
                Assistant is working
              </Text>
            </>
          ) : unread ? (
            <>
              <span className={styles.dot} aria-hidden="true" />
              <Text size="1" color="teal">
                Assistant has completed the request
              </Text>
            </>
          ) : (
            <Text size="1" color="gray">
              {formatAgo(conversation.updatedAt, now)}
            </Text>
          )}
        </span>
      </NavLink>
    </li>
  );
});
