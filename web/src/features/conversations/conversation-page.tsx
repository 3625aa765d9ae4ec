import { Skeleton, VisuallyHidden } from '@radix-ui/themes';
import { RefreshCw } from 'lucide-react';
import { Button } from '@radix-ui/themes';
import { useEffect } from 'react';
import { Navigate, useParams, useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { preloadMarkdown } from '@/components/markdown/markdown';
import { EmptyPage } from '@/components/page/empty-page';
import { listSearch } from '@/lib/conversation-list';
import { paths } from '@/lib/paths';
import { useIsNarrow } from '@/lib/use-media-query';
import { common } from '@/messages/common';
import { conversation as t } from '@/messages/conversation';
import { closeConversation, openConversation, sessionState } from '@/stores/conversation-session';
import { conversationsState, readConversation } from '@/stores/conversations-store';
import { leaveDisplayObjects } from '@/stores/display-objects-store';
import { forgetDrafts } from '@/stores/feedback-store';
import { BackToList } from './back-to-list';
import { ConversationView } from './conversation-view';
import styles from './conversations.module.css';

preloadMarkdown();

/** `/conversations/{id}`: opens the conversation of the address and shows its loading state. */
function ConversationPage() {
  const { conversationId = '' } = useParams();
  const { current } = useSnapshot(sessionState);
  const [address] = useSearchParams();
  const { unreadMessages = 0, name } = useSnapshot(conversationsState).byId[conversationId] ?? {};
  const unread = unreadMessages > 0;

  useEffect(() => {
    void openConversation(conversationId);
    forgetDrafts();
  }, [conversationId]);

  useEffect(() => {
    // The list with the unread count may be loaded after the conversation itself.
    if (unread && !document.hidden) void readConversation(conversationId);
  }, [conversationId, unread]);

  // After the views that showed them have been removed.
  useEffect(() => () => queueMicrotask(leaveDisplayObjects), [conversationId]);
  // Leaving for another page ends the subscription; going to another conversation does so by itself.
  useEffect(() => closeConversation, []);

  useEffect(() => {
    // Messages that arrived while the tab was hidden are marked as read when the tab is shown.
    const look = (): void => {
      if (!document.hidden) void readConversation(conversationId);
    };
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [conversationId]);

  if (current.phase === 'closed' || current.id !== conversationId)
    return <ConversationSkeleton name={name} />;
  switch (current.phase) {
    case 'loading':
      return <ConversationSkeleton name={name} />;
    case 'missing':
      return <Navigate to={paths.conversations + listSearch(address)} replace />;
    case 'failed':
      return (
        <>
          <PhoneHeader />
          <EmptyPage
            icon={<RefreshCw size={22} />}
            title={t('failed.title')}
            action={
              <Button variant="soft" onClick={() => void openConversation(conversationId)}>
                {common('retry')}
              </Button>
            }
          />
        </>
      );
    case 'ready':
      return (
        <ConversationView
          key={current.id}
          conversation={current.conversation}
          turn={current.turn}
          behind={current.behind}
          earlier={current.earlier}
        />
      );
  }
}

/** A phone shows no list next to the conversation: there must always be a way back to it. */
function PhoneHeader() {
  const narrow = useIsNarrow();
  return narrow ? (
    <header className={styles.header}>
      <BackToList />
    </header>
  ) : null;
}

/** `name` is the name of the conversation if the list has it already: the page has its heading from the start. */
function ConversationSkeleton({ name }: { name: string | undefined }) {
  return (
    <>
      <div className={styles.header}>
        <BackToList />
        <Skeleton height="24px" width="220px" />
        <VisuallyHidden asChild>
          <h1>{name ?? t('loading')}</h1>
        </VisuallyHidden>
      </div>
      <div role="status" aria-label={t('loading')}>
        <div className={styles.scroll}>
          <div className={styles.column}>
            <Skeleton height="44px" width="60%" mb="4" ml="auto" />
            <Skeleton height="120px" width="80%" mb="4" />
            <Skeleton height="240px" width="80%" />
          </div>
        </div>
      </div>
    </>
  );
}

export { ConversationPage as Component };
