import { Avatar, Flex, Text } from '@radix-ui/themes';
import { useSnapshot } from 'valtio';
import { Tooltip } from '@/components/tooltip/tooltip';
import { initials } from '@/lib/format';
import { othersOf } from '@/lib/presence';
import { useIsNarrow } from '@/lib/use-media-query';
import { sessionState } from '@/stores/conversation-session';
import { meState } from '@/stores/me-store';
import styles from './conversations.module.css';

/** The other people who have the conversation open now; nothing if there are none. */
export function ConversationPresence({ conversationId }: { conversationId: string }) {
  const { current } = useSnapshot(sessionState);
  const { user } = useSnapshot(meState);
  const narrow = useIsNarrow();
  if (current.phase !== 'ready' || current.id !== conversationId || !user) return null;
  // On a phone the name of the conversation needs the space.
  const { shown, more, text } = othersOf(current.present, user.uuid, narrow ? 1 : 3);
  if (text === '') return null;

  return (
    <Tooltip content={text}>
      <Flex align="center" gap="1" className={styles.present ?? ''} role="img" aria-label={text} tabIndex={0}>
        {shown.map(({ uuid, fullName }) => (
          <Avatar key={uuid} size="1" radius="full" fallback={initials(fullName)} />
        ))}
        {more > 0 && (
          <Text size="1" color="gray" weight="medium">
            +{more}
          </Text>
        )}
      </Flex>
    </Tooltip>
  );
}
