import { FolderPlus, ListChecks } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import type { EntityActions } from '@/components/entity-menu/actions';
import { EntityMenu } from '@/components/entity-menu/entity-menu';
import { limitsOfConversationChanges } from '@/api/limits.gen';
import { listSearch } from '@/lib/conversation-list';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatCredits } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useIsShown } from '@/lib/use-is-shown';
import type { Conversation } from '@/lib/wire';
import { conversation as t } from '@/messages/conversation';
import { duplicateConversation, removeConversation } from '@/stores/conversations-store';
import { favorite, rename, setArchived } from './conversation-actions';
import type { SaveAsBlueprint } from './use-save-as-blueprint';

const ConversationAccess = lazy(async () => ({
  default: (await import('./conversation-access')).ConversationAccess,
}));
const ProjectDialog = lazy(async () => ({ default: (await import('./project-dialog')).ProjectDialog }));

/** The longest name of a conversation, in characters. */
const nameLimit = limitsOfConversationChanges.name.characters;

interface ConversationMenuProps {
  conversation: DeepReadonly<Conversation>;
  /** In a list each menu names its conversation. */
  inList?: boolean;
  /** It also has the actions that are buttons in the header of a wide window. */
  whole?: boolean;
  /** Only the open conversation can be saved as a blueprint. */
  saving?: SaveAsBlueprint | undefined;
}

/** The actions for a conversation, in its header and in the list. */
export function ConversationMenu(props: ConversationMenuProps) {
  const { conversation, inList = false, whole = inList, saving } = props;
  const { id, name, abilities, status, isFavorite } = conversation;
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [address] = useSearchParams();
  const [dialog, setDialog] = useState<'access' | 'project' | null>(null);
  const isShown = useIsShown();
  const close = (): void => setDialog(null);
  const size = 15;

  const actions: EntityActions = {
    favorite: whole ? { on: isFavorite, onChange: (to) => void favorite(id, to) } : undefined,
    rename: abilities.rename
      ? { title: t('rename.title'), max: nameLimit, onConfirm: (to) => rename(id, to) }
      : undefined,
    duplicate: abilities.duplicate
      ? {
          title: t('duplicate.title'),
          max: nameLimit,
          onConfirm: async (copyName) => {
            const copy = await duplicateConversation(id, copyName);
            if (copy !== null && isShown()) await navigate(paths.conversation(copy) + listSearch(address));
            return copy !== null;
          },
        }
      : undefined,
    access: whole ? { onOpen: () => setDialog('access') } : undefined,
    others: [
      ...(abilities.addToProject
        ? [
            {
              label: t('menu.project'),
              icon: <FolderPlus size={size} />,
              onSelect: () => setDialog('project'),
            },
          ]
        : []),
      ...(saving && status === 'active'
        ? [
            {
              label: t('blueprint.saveAs'),
              icon: <ListChecks size={size} />,
              onSelect: saving.save,
              ...(!saving.canSave && { disabledReason: t('blueprint.reason') }),
            },
          ]
        : []),
    ],
    archive:
      status === 'active' && abilities.archive
        ? {
            title: t('archive.title'),
            text: t('archive.text'),
            onConfirm: () => setArchived(id, 'archived'),
          }
        : undefined,
    // The header of the open conversation has a separate button for it.
    unarchive:
      status === 'archived' && inList ? { onUnarchive: () => void setArchived(id, 'active') } : undefined,
    remove: {
      title: t('delete.title'),
      text: t('delete.text'),
      onConfirm: async () => {
        const isOpen = pathname === paths.conversation(id);
        const done = await removeConversation(id);
        if (done && isOpen && isShown()) {
          await navigate(paths.conversations + listSearch(address), { replace: true });
        }
        return done;
      },
      ...(!abilities.delete && { disabledReason: t('delete.reason') }),
    },
  };

  return (
    <>
      <EntityMenu
        name={name}
        actions={actions}
        inList={inList}
        note={
          whole && !inList && conversation.credits !== 0
            ? t('credits', { credits: formatCredits(conversation.credits) })
            : undefined
        }
      />
      <Suspense>
        {dialog === 'project' && <ProjectDialog conversation={conversation} onClose={close} />}
        {dialog === 'access' && (
          <ConversationAccess conversationId={id} editable={abilities.manageAccess} onClose={close} />
        )}
      </Suspense>
    </>
  );
}
