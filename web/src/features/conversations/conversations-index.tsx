import { Button, Spinner } from '@radix-ui/themes';
import { MessagesSquare } from 'lucide-react';
import { Link, Navigate, useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { EmptyPage } from '@/components/page/empty-page';
import { conversationScope, listSearch } from '@/lib/conversation-list';
import { isFirstLoad } from '@/lib/load-status';
import { paths } from '@/lib/paths';
import { conversationList as t } from '@/messages/conversation-list';
import { conversationsState } from '@/stores/conversations-store';

/** If no conversation is selected, the first one of the list is opened. */
function ConversationsIndex() {
  const [address] = useSearchParams();
  const scope = conversationScope(address);
  const { ids, status } = useSnapshot(conversationsState.lists[scope]);
  const { byId } = useSnapshot(conversationsState);
  const first = ids[0];
  if (first !== undefined) return <Navigate to={paths.conversation(first) + listSearch(address)} replace />;
  if (isFirstLoad(status)) {
    return (
      <EmptyPage icon={<Spinner />} title={t('loading')}>
        {t('loading.text')}
      </EmptyPage>
    );
  }
  // An empty filter does not mean that there are no conversations: others may be archived or shared.
  const isFirst = scope === 'all' && Object.keys(byId).length === 0;
  return (
    <EmptyPage
      icon={<MessagesSquare size={22} />}
      title={isFirst ? t('first') : t('noneOpen')}
      action={
        <Button asChild>
          <Link to={paths.newConversation()}>{t('start')}</Link>
        </Button>
      }
    >
      {isFirst ? t('first.text') : t('noneOpen.text')}
    </EmptyPage>
  );
}

export { ConversationsIndex as Component };
