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

/** A search whose answer is not there. */
const notYet = { ids: [], status: 'initial' } as const;

/** If no conversation is selected, the first one of the list is opened: of what a search in the address finds, if there is one. */
function ConversationsIndex() {
  const [address] = useSearchParams();
  const scope = conversationScope(address);
  const search = address.get('search')?.trim() ?? '';
  const listed = useSnapshot(conversationsState.lists[scope]);
  const { byId, found } = useSnapshot(conversationsState);
  // The list is beside this page, and shows only what was found: the whole list may never be fetched.
  const isFound = found.words === search && found.scope === scope;
  const { ids, status } = search === '' ? listed : isFound ? found : notYet;
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
  const isFirst = scope === 'all' && search === '' && Object.keys(byId).length === 0;
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
