import { Badge, Button, DropdownMenu, IconButton, Tooltip } from '@radix-ui/themes';
import { Archive, ArchiveRestore, ArrowLeft, Ellipsis, Star, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import { cx } from '@/lib/cx';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatCredits } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useIsNarrow } from '@/lib/use-media-query';
import type { Conversation } from '@/lib/wire';
import { removeConversation } from '@/stores/conversations-store';
import { AccessDialog } from './access-dialog';
import { favorite, rename, setArchived } from './conversation-actions';
import { InlineTitle } from './inline-title';
import styles from './conversations.module.css';

type OpenDialog = 'archive' | 'delete' | 'access' | null;

/** The open conversation's name and what can be done with it. */
export function ConversationHeader({ conversation }: { conversation: DeepReadonly<Conversation> }) {
  const { id, abilities } = conversation;
  const navigate = useNavigate();
  const narrow = useIsNarrow();
  const [dialog, setDialog] = useState<OpenDialog>(null);
  const archived = conversation.status === 'archived';
  const close = (): void => setDialog(null);

  return (
    <header className={styles.header}>
      {narrow && (
        <IconButton asChild variant="ghost" color="gray" aria-label="Back to the list" mr="1">
          <Link to={paths.conversations}>
            <ArrowLeft size={18} />
          </Link>
        </IconButton>
      )}
      <InlineTitle
        key={id}
        name={conversation.name}
        editable={abilities.rename}
        onRename={(name) => void rename(id, name)}
      />
      {conversation.ownerStatus === 'shared' && (
        <Tooltip content={`Shared by ${conversation.owner.fullName}`}>
          <Badge color="gray">View only</Badge>
        </Tooltip>
      )}
      {!narrow && (
        <Tooltip content="Credits used by this conversation">
          <Badge color="gray" variant="soft" tabIndex={0}>
            {formatCredits(conversation.credits)} credits
          </Badge>
        </Tooltip>
      )}
      {archived && (
        <Button variant="soft" size="2" onClick={() => void setArchived(id, 'active')}>
          <ArchiveRestore size={16} />
          {narrow ? 'Unarchive' : 'Unarchive this conversation'}
        </Button>
      )}
      {!narrow && (
        <Tooltip content="Manage access">
          <IconButton
            variant="ghost"
            color="gray"
            aria-label="Manage access"
            onClick={() => setDialog('access')}
          >
            <Users size={18} />
          </IconButton>
        </Tooltip>
      )}
      <Tooltip content={conversation.isFavorite ? 'Remove from favorites' : 'Add to favorites'}>
        <IconButton
          variant="ghost"
          color="gray"
          aria-label="Favorite"
          aria-pressed={conversation.isFavorite}
          ml="2"
          onClick={() => void favorite(id, !conversation.isFavorite)}
        >
          <Star
            size={18}
            {...(conversation.isFavorite && { fill: 'currentColor', className: cx(styles.star) })}
          />
        </IconButton>
      </Tooltip>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger>
          <IconButton variant="ghost" color="gray" aria-label="More actions" ml="2">
            <Ellipsis size={18} />
          </IconButton>
        </DropdownMenu.Trigger>
        <DropdownMenu.Content align="end">
          {narrow && (
            <DropdownMenu.Item onSelect={() => setDialog('access')}>
              <Users size={15} /> Manage access
            </DropdownMenu.Item>
          )}
          {!archived && abilities.archive && (
            <DropdownMenu.Item onSelect={() => setDialog('archive')}>
              <Archive size={15} /> Archive
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item color="red" disabled={!abilities.delete} onSelect={() => setDialog('delete')}>
            <Trash2 size={15} /> Delete
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>

      <ConfirmDialog
        open={dialog === 'archive'}
        onOpenChange={close}
        title="Archive conversation"
        confirmLabel="Archive"
        onConfirm={() => setArchived(id, 'archived')}
      >
        It moves to your archive, for you alone. You can bring it back at any time.
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={close}
        title="Delete conversation"
        confirmLabel="Delete"
        destructive
        onConfirm={async () => {
          const done = await removeConversation(id);
          if (done) await navigate(paths.conversations, { replace: true });
          return done;
        }}
      >
        It is deleted for everybody who can see it, with all its messages. This cannot be undone.
      </ConfirmDialog>
      {dialog === 'access' && (
        <AccessDialog conversationId={id} editable={abilities.manageAccess} onClose={close} />
      )}
    </header>
  );
}
