import { Heading, Text } from '@radix-ui/themes';
import { useId } from 'react';
import { Link, useSearchParams } from 'react-router';
import { listSearch } from '@/lib/conversation-list';
import { formatAgo, formatMoment } from '@/lib/format';
import { messageParameter, paths } from '@/lib/paths';
import { useList } from '@/lib/use-collection';
import { useNow } from '@/lib/use-now';
import { conversationList as t } from '@/messages/conversation-list';
import { messageSearch } from '@/stores/message-search-store';
import styles from './said-items.module.css';

/** The messages in which the words of a search were found; nothing if there are none. */
export function SaidItems({ words }: { words: string }) {
  const heading = useId();
  const now = useNow();
  const [address] = useSearchParams();
  const { items, status } = useList(messageSearch, { search: words });
  if (items.length === 0 && status !== 'failed') return null;
  return (
    <section className={styles.said} aria-labelledby={heading}>
      <Heading as="h2" size="1" id={heading} className={styles.heading ?? ''}>
        {t('said')}
      </Heading>
      {status === 'failed' && (
        <Text as="p" size="2" color="gray" className={styles.failed ?? ''}>
          {t('said.failed')}
        </Text>
      )}
      <ul className={styles.list}>
        {items.map(({ id, conversationId, conversationName, messageId, role, excerpt, createdAt }) => (
          <li key={id}>
            <Link to={addressOf(conversationId, messageId, address)} className={styles.item}>
              <span className={styles.name}>
                <span className={styles.title}>{conversationName}</span>
                <time dateTime={createdAt} title={formatMoment(createdAt)}>
                  {formatAgo(createdAt, now)}
                </time>
              </span>
              <span className={styles.excerpt}>
                {role === 'user' ? t('said.asked', { text: excerpt }) : excerpt}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The address of a conversation at a message, which keeps the list next to it as it is. */
function addressOf(conversation: string, message: string, address: URLSearchParams): string {
  const query = new URLSearchParams(listSearch(address));
  query.set('message_id', messageParameter(message));
  return `${paths.conversation(conversation)}?${query.toString()}`;
}
