import { Heading, Skeleton, Spinner, Text } from '@radix-ui/themes';
import { ArrowRight } from 'lucide-react';
import { useEffect } from 'react';
import { Link } from 'react-router';
import { useSnapshot } from 'valtio';
import { formatAgo } from '@/lib/format';
import { isFirstLoad } from '@/lib/load-status';
import { paths } from '@/lib/paths';
import { useNow } from '@/lib/use-now';
import { home as t } from '@/messages/home';
import { conversationsState, loadConversations } from '@/stores/conversations-store';
import styles from './home.module.css';

const shown = 5;

/** The last conversations, and a link to all of them. */
export function RecentConversations() {
  const { byId, lists } = useSnapshot(conversationsState);
  const { status, ids } = lists.all;
  const now = useNow();

  useEffect(() => {
    void loadConversations('all');
  }, []);

  if (!isFirstLoad(status) && ids.length === 0) return null;
  return (
    <section aria-label={t('recent')} className={styles.recent}>
      <div className={styles.recentHead}>
        <Heading as="h2" size="2" color="gray" weight="medium">
          {t('recent')}
        </Heading>
        <Link to={paths.conversations} className={styles.all}>
          {t('recent.all')} <ArrowRight size={14} aria-hidden="true" />
        </Link>
      </div>
      <ul className={styles.recentList}>
        {isFirstLoad(status)
          ? ['a', 'b', 'c', 'd', 'e'].map((key) => (
              <li key={key} className={styles.recentItem} aria-hidden="true">
                <Skeleton width="60%" height="16px" />
              </li>
            ))
          : ids.slice(0, shown).map((id) => {
              const conversation = byId[id];
              if (!conversation) return null;
              const { name, unreadMessages, isStreaming, updatedAt } = conversation;
              return (
                <li key={id}>
                  <Link to={paths.conversation(id)} className={styles.recentItem}>
                    <Text size="2" weight={unreadMessages > 0 ? 'bold' : 'regular'} truncate>
                      {name}
                    </Text>
                    <span className={styles.recentState}>
                      {isStreaming ? (
                        <>
                          <Spinner size="1" /> {t('recent.working')}
                        </>
                      ) : (
                        <>
                          {unreadMessages > 0 && (
                            <span className={styles.dot} role="img" aria-label={t('recent.new')} />
                          )}
                          {formatAgo(updatedAt, now)}
                        </>
                      )}
                    </span>
                  </Link>
                </li>
              );
            })}
      </ul>
    </section>
  );
}
