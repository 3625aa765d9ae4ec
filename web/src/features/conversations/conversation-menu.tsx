import { DropdownMenu, IconButton } from '@radix-ui/themes';
import { Archive, Copy, Ellipsis, FolderPlus, PencilLine, Trash2, Users } from 'lucide-react';
import { useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import { listSearch } from '@/lib/conversation-list';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import { useIsShown } from '@/lib/use-is-shown';
import type { Conversation } from '@/lib/wire';
import { duplicateConversation, removeConversation } from '@/stores/conversations-store';
import { setArchived } from './conversation-actions';
import { ProjectDialog } from './project-dialog';

interface ConversationMenuProps {
  conversation: DeepReadonly<Conversation>;
  onRename: () => void;
  /** Left out where there is a button of its own for it. */
  onManageAccess?: (() => void) | undefined;
}

/** What can be done with the open conversation as a whole. */
export function ConversationMenu({ conversation, onRename, onManageAccess }: ConversationMenuProps) {
  const { id, abilities, status } = conversation;
  const navigate = useNavigate();
  const [address] = useSearchParams();
  const [dialog, setDialog] = useState<'archive' | 'delete' | 'project' | null>(null);
  // The menu gives the focus back to its button when it has closed; a field that has it before then loses it.
  const renames = useRef(false);
  const isShown = useIsShown();
  const close = (): void => setDialog(null);

  async function duplicate(): Promise<void> {
    const copy = await duplicateConversation(id);
    if (copy !== null && isShown()) await navigate(paths.conversation(copy));
  }

  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger>
          <IconButton variant="ghost" color="gray" aria-label="More actions" ml="2">
            <Ellipsis size={18} />
          </IconButton>
        </DropdownMenu.Trigger>
        <DropdownMenu.Content
          align="end"
          onCloseAutoFocus={(event) => {
            if (!renames.current) return;
            renames.current = false;
            event.preventDefault();
            onRename();
          }}
        >
          {abilities.rename && (
            <DropdownMenu.Item
              onSelect={() => {
                renames.current = true;
              }}
            >
              <PencilLine size={15} /> Rename
            </DropdownMenu.Item>
          )}
          {abilities.addToProject && (
            <DropdownMenu.Item onSelect={() => setDialog('project')}>
              <FolderPlus size={15} /> Add to project
            </DropdownMenu.Item>
          )}
          {abilities.duplicate && (
            <DropdownMenu.Item onSelect={() => void duplicate()}>
              <Copy size={15} /> Duplicate
            </DropdownMenu.Item>
          )}
          {onManageAccess && (
            <DropdownMenu.Item onSelect={onManageAccess}>
              <Users size={15} /> Manage access
            </DropdownMenu.Item>
          )}
          {status === 'active' && abilities.archive && (
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
          if (done && isShown()) await navigate(paths.conversations + listSearch(address), { replace: true });
          return done;
        }}
      >
        It is deleted for everybody who can see it, with all its messages. This cannot be undone.
      </ConfirmDialog>
      {dialog === 'project' && <ProjectDialog conversation={conversation} onClose={close} />}
    </>
  );
}
