import { AccessDialog } from '@/components/access/access-dialog';
import { useAccess } from '@/stores/access-store';

interface ConversationAccessProps {
  conversationId: string;
  /** Others than the owner see the list and change nothing. */
  editable: boolean;
  onClose: () => void;
}

/** Who may see the conversation, and, for its owner, the way to change that. */
export function ConversationAccess({ conversationId, editable, onClose }: ConversationAccessProps) {
  const access = useAccess('conversation', conversationId, editable);
  return (
    <AccessDialog
      {...access}
      text={
        editable
          ? 'People and teams that you add can view this conversation, live.'
          : 'Only the owner can change who sees this conversation.'
      }
      editable={editable}
      canWrite={false}
      onClose={onClose}
    />
  );
}
