import { Badge, Button, IconButton } from '@radix-ui/themes';
import { ArchiveRestore, Star, Users } from 'lucide-react';
import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { ProjectTags } from '@/components/project/project-tag';
import { Tooltip } from '@/components/tooltip/tooltip';
import { byIds } from '@/lib/connector-picker';
import { cx } from '@/lib/cx';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatCredits } from '@/lib/format';
import type { SharedWith } from '@/lib/shared-with';
import { useList } from '@/lib/use-collection';
import { useIsNarrow } from '@/lib/use-media-query';
import { useTitle } from '@/lib/use-title';
import type { Conversation } from '@/lib/wire';
import { conversation as t } from '@/messages/conversation';
import { projectLabels as labels } from '@/stores/project-labels-store';
import { BackToList } from './back-to-list';
import { favorite, rename, setArchived } from './conversation-actions';
import { ConversationMenu } from './conversation-menu';
import { ConversationPresence } from './conversation-presence';
import { InlineTitle } from './inline-title';
import { SaveAsBlueprintButton } from './save-as-blueprint';
import { useSaveAsBlueprint } from './use-save-as-blueprint';
import styles from './conversations.module.css';

const ConversationAccess = lazy(async () => ({
  default: (await import('./conversation-access')).ConversationAccess,
}));

const SharedFaces = lazy(async () => ({
  default: (await import('@/components/access/shared-faces')).SharedFaces,
}));

interface ConversationHeaderProps {
  conversation: DeepReadonly<Conversation>;
  /** The choice of the view, if it has no separate row. */
  views: ReactNode;
}

/** The open conversation's name, projects and actions. */
export function ConversationHeader({ conversation, views }: ConversationHeaderProps) {
  const { id, abilities } = conversation;
  const narrow = useIsNarrow();
  useTitle(conversation.name);
  const [managing, setManaging] = useState(false);
  // The people with access are fetched only by the dialog, so that opening a conversation needs no further call.
  const [known, setKnown] = useState<{ id: string; shared: SharedWith } | null>(null);
  const shared = known?.id === id && known.shared.text !== '' ? known.shared : null;
  const saving = useSaveAsBlueprint(id);

  return (
    <header className={styles.header}>
      <BackToList />
      <div className={styles.title}>
        <InlineTitle
          name={conversation.name}
          editable={abilities.rename}
          onRename={(name) => void rename(id, name)}
        />
        {!narrow && conversation.projectLabels.length > 0 && (
          <ConversationProjects ids={conversation.projectLabels} />
        )}
      </div>
      <ConversationPresence conversationId={id} />
      {/* On a phone the name needs the space, and the note in place of the box says it. */}
      {!narrow && conversation.ownerStatus === 'shared' && (
        <Tooltip content={t('shared.by', { name: conversation.owner.fullName })}>
          <Badge color="gray" tabIndex={0}>
            {t('viewOnly')}
          </Badge>
        </Tooltip>
      )}
      {!narrow && conversation.credits !== 0 && (
        <Tooltip content={t('credits.tooltip')}>
          <Badge color="gray" variant="soft" tabIndex={0} mr="2">
            {t('credits', { credits: formatCredits(conversation.credits) })}
          </Badge>
        </Tooltip>
      )}
      {conversation.status === 'archived' ? (
        <UnarchiveButton narrow={narrow} onUnarchive={() => void setArchived(id, 'active')} />
      ) : (
        <SaveAsBlueprintButton saving={saving} narrow={narrow} />
      )}
      {!narrow && <AccessButton shared={shared} onOpen={() => setManaging(true)} />}
      {!narrow && (
        <Tooltip content={conversation.isFavorite ? t('favorite.remove') : t('favorite.add')}>
          <IconButton
            variant="ghost"
            color="gray"
            aria-label={t('favorite')}
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
      )}
      {views}
      <span className={styles.menu}>
        <ConversationMenu conversation={conversation} whole={narrow} saving={saving} />
      </span>
      {managing && (
        <Suspense>
          <ConversationAccess
            conversationId={id}
            editable={abilities.manageAccess}
            onKnown={(now) => setKnown({ id, shared: now })}
            onClose={() => setManaging(false)}
          />
        </Suspense>
      )}
    </header>
  );
}

interface AccessButtonProps {
  /** `null` if it is not known, or if it is not shared. */
  shared: SharedWith | null;
  onOpen: () => void;
}

/**
 * Opens the list of people who may see it, and shows them once they are known. It stays the same button, so that it
 * can get the focus back.
 */
function AccessButton({ shared, onOpen }: AccessButtonProps) {
  const label = shared === null ? t('menu.access') : `${t('menu.access')}: ${shared.text}`;
  const sign = <Users size={18} />;
  return (
    <Tooltip content={label}>
      <IconButton variant="ghost" color="gray" aria-label={label} onClick={onOpen}>
        {shared === null ? (
          sign
        ) : (
          <Suspense fallback={sign}>
            <SharedFaces shown={shared.shown} more={shared.more} />
          </Suspense>
        )}
      </IconButton>
    </Tooltip>
  );
}

/** Takes the conversation out of the archive. On a phone it is only an icon, because the name needs the space. */
function UnarchiveButton({ narrow, onUnarchive }: { narrow: boolean; onUnarchive: () => void }) {
  if (narrow) {
    return (
      <IconButton variant="soft" size="2" aria-label={t('unarchive')} onClick={onUnarchive}>
        <ArchiveRestore size={16} />
      </IconButton>
    );
  }
  return (
    <Button variant="soft" size="2" mr="2" onClick={onUnarchive}>
      <ArchiveRestore size={16} /> {t('unarchive')}
    </Button>
  );
}

/** The projects that the conversation belongs to, by colour and name. */
function ConversationProjects({ ids }: { ids: readonly number[] }) {
  const { items, status } = useList(labels, undefined);
  const known = byIds(items, ids);
  const missing = status === 'fetched' && known.length < ids.length;

  useEffect(() => {
    // A project that another person has just made is not in the list yet.
    if (missing) void labels.refresh();
  }, [missing]);

  return <ProjectTags projects={known} />;
}
