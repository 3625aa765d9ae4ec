import { Button, Heading, Link, Skeleton, Text } from '@radix-ui/themes';
import { ArrowLeft, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { Link as RouterLink, useNavigate, useParams, useSearchParams } from 'react-router';
import { EmptyPage } from '@/components/page/empty-page';
import { notify } from '@/lib/notify';
import { paths } from '@/lib/paths';
import { useEntity } from '@/lib/use-collection';
import { useTitle } from '@/lib/use-title';
import { common } from '@/messages/common';
import { feedbackList as t } from '@/messages/feedback-list';
import { reviewed } from '@/stores/feedback-list-store';
import { FeedbackHistory } from './feedback-history';
import styles from './memories.module.css';

/** `/memories/feedbacks/{id}`: a conversation of another person, read only, with its feedback. */
function FeedbackPage() {
  const { conversationId = '' } = useParams();
  const [address] = useSearchParams();
  const navigate = useNavigate();
  const { status, entity: conversation } = useEntity(reviewed, conversationId);
  const gone = status === 'gone';
  const title = conversation?.name ?? t('page.title');
  useTitle(title);

  useEffect(() => {
    if (!gone) return;
    notify.error(t('toast.notFound', { id: conversationId }));
    void navigate(paths.memories, { replace: true });
  }, [gone, conversationId, navigate]);

  if (status === 'failed' && conversation === null) {
    return (
      <EmptyPage
        icon={<RefreshCw size={22} />}
        title={t('page.failed')}
        action={
          <Button variant="soft" onClick={() => void reviewed.fetch(conversationId)}>
            {common('retry')}
          </Button>
        }
      />
    );
  }
  return (
    <div className={styles.review}>
      <header className={styles.reviewHead}>
        <Link asChild size="2" color="gray">
          <RouterLink to={paths.memories} className={styles.reviewBack ?? ''}>
            <ArrowLeft size={15} aria-hidden="true" /> {t('back')}
          </RouterLink>
        </Link>
        <Heading as="h1" size="5" truncate>
          {title}
        </Heading>
        {conversation !== null && (
          <Text as="p" size="2" color="gray">
            {t('page.owner', { name: conversation.owner.fullName })}
          </Text>
        )}
      </header>
      {conversation === null ? (
        <div role="status" aria-label={t('page.loading')}>
          <Skeleton height="36px" mb="4" />
          <Skeleton height="320px" />
        </div>
      ) : (
        <FeedbackHistory conversation={conversation} messageId={address.get('message_id')} />
      )}
    </div>
  );
}

export { FeedbackPage as Component };
