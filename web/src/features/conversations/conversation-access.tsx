import { AccessDialog } from '@/components/access/access-dialog';
import { sharedWith, type SharedWith } from '@/lib/shared-with';
import { useAccess } from '@/lib/use-access';
import { conversation as t } from '@/messages/conversation';
import { openAccess } from '@/stores/access-store';

interface ConversationAccessProps {
  conversationId: string;
  /** All but the owner see the list and cannot change it. */
  editable: boolean;
  /** Called with the people it is shared with, whenever the server has sent them. */
  onKnown?: ((shared: SharedWith) => void) | undefined;
  onClose: () => void;
}

/** The people who may see the conversation; its owner can change them here. */
export function ConversationAccess({ conversationId, editable, onKnown, onClose }: ConversationAccessProps) {
  const access = useAccess(
    () => openAccess({ kind: 'conversation', id: conversationId }, (grants) => onKnown?.(sharedWith(grants))),
    editable,
  );
  return (
    <AccessDialog
      {...access}
      text={editable ? t('access.owner') : t('access.reader')}
      editable={editable}
      canWrite={false}
      onClose={onClose}
    />
  );
}
