import { IconButton } from '@radix-ui/themes';
import { ArrowLeft } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { listSearch } from '@/lib/conversation-list';
import { paths } from '@/lib/paths';
import { conversation as t } from '@/messages/conversation';

/** On a phone, the link from a conversation to the list as it was: its filter and its search stay in the address. */
export function BackToList() {
  const [address] = useSearchParams();
  return (
    <IconButton asChild variant="ghost" color="gray" aria-label={t('backToList')} mr="1">
      <Link to={paths.conversations + listSearch(address)}>
        <ArrowLeft size={18} />
      </Link>
    </IconButton>
  );
}
