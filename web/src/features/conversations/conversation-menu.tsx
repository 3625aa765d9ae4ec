import { DropdownMenu, IconButton } from '@radix-ui/themes';
import {
  Archive,
  Copy,
  Ellipsis,
  FolderPlus,
  ListChecks,
  PencilLine,
  Star,
  Trash2,
  Users,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import { listSearch } from '@/lib/conversation-list';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatCredits } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useIsShown } from '@/lib/use-is-shown';
import type { Conversation } from '@/lib/wire';
import { blueprints } from '@/messages/blueprints';
import { common } from '@/messages/common';
import { conversation as t } from '@/messages/conversation';
import { duplicateConversation, removeConversation } from '@/stores/conversations-store';
import { favorite, setArchived } from './conversation-actions';
import { ProjectDialog } from './project-dialog';
import type { SaveAsBlueprint } from './use-save-as-blueprint';

interface ConversationMenuProps {
  conversation: DeepReadonly<Conversation>;
  onRename: () => void;
  /** On a phone it says what stands in the header elsewhere. */
  narrow: boolean;
  saving: SaveAsBlueprint;
  /** Left out where there is a button of its own for it. */
  onManageAccess?: (() => void) | undefined;
}

/** What can be done with the open conversation as a whole. */
export function ConversationMenu(props: ConversationMenuProps) {
  const { conversation, narrow, saving, onRename, onManageAccess } = props;
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
          <IconButton variant="ghost" color="gray" aria-label={t('menu')} ml="2">
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
          {narrow && (
            <>
              <DropdownMenu.Label>
                {t('credits', { credits: formatCredits(conversation.credits) })}
              </DropdownMenu.Label>
              <DropdownMenu.Item onSelect={() => void favorite(id, !conversation.isFavorite)}>
                <Star size={15} {...(conversation.isFavorite && { fill: 'currentColor' })} />
                {conversation.isFavorite ? t('favorite.remove') : t('favorite.add')}
              </DropdownMenu.Item>
            </>
          )}
          {abilities.rename && (
            <DropdownMenu.Item
              onSelect={() => {
                renames.current = true;
              }}
            >
              <PencilLine size={15} /> {t('menu.rename')}
            </DropdownMenu.Item>
          )}
          {abilities.addToProject && (
            <DropdownMenu.Item onSelect={() => setDialog('project')}>
              <FolderPlus size={15} /> {t('menu.project')}
            </DropdownMenu.Item>
          )}
          {abilities.duplicate && (
            <DropdownMenu.Item onSelect={() => void duplicate()}>
              <Copy size={15} /> {t('menu.duplicate')}
            </DropdownMenu.Item>
          )}
          {status === 'active' && (
            <DropdownMenu.Item disabled={!saving.canSave} onSelect={saving.save}>
              <ListChecks size={15} /> {blueprints('saveAs')}
            </DropdownMenu.Item>
          )}
          {onManageAccess && (
            <DropdownMenu.Item onSelect={onManageAccess}>
              <Users size={15} /> {t('menu.access')}
            </DropdownMenu.Item>
          )}
          {status === 'active' && abilities.archive && (
            <DropdownMenu.Item onSelect={() => setDialog('archive')}>
              <Archive size={15} /> {t('menu.archive')}
            </DropdownMenu.Item>
          )}
          <DropdownMenu.Item color="red" disabled={!abilities.delete} onSelect={() => setDialog('delete')}>
            <Trash2 size={15} /> {common('delete')}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      <ConfirmDialog
        open={dialog === 'archive'}
        onOpenChange={close}
        title={t('archive.title')}
        confirmLabel={t('menu.archive')}
        onConfirm={() => setArchived(id, 'archived')}
      >
        {t('archive.text')}
      </ConfirmDialog>
      <ConfirmDialog
        open={dialog === 'delete'}
        onOpenChange={close}
        title={t('delete.title')}
        confirmLabel={common('delete')}
        destructive
        onConfirm={async () => {
          const done = await removeConversation(id);
          if (done && isShown()) await navigate(paths.conversations + listSearch(address), { replace: true });
          return done;
        }}
      >
        {t('delete.text')}
      </ConfirmDialog>
      {dialog === 'project' && <ProjectDialog conversation={conversation} onClose={close} />}
    </>
  );
}
