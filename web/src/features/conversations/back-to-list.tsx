import { IconButton } from '@radix-ui/themes';
import { ArrowLeft } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { listSearch } from '@/lib/conversation-list';
import { paths } from '@/lib/paths';
import { useIsNarrow } from '@/lib/use-media-query';
import { conversation as t } from '@/messages/conversation';

/**
 * On a phone, the link from a conversation to the list as it was: its filter and its search stay in the address.
 * On wider windows the list is next to the conversation, and there is no link.
 */
export function BackToList() {
  const narrow = useIsNarrow();
  const [address] = useSearchParams();
  if (!narrow) return null;
  return (
    <IconButton asChild variant="ghost" color="gray" aria-label={t('backToList')} mr="1">
      <Link to={paths.conversations + listSearch(address)}>
        <ArrowLeft size={18} />
      </Link>
    </IconButton>
  );
}
