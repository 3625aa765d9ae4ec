import { Badge, Button, IconButton, Tooltip } from '@radix-ui/themes';
import { ArchiveRestore, ArrowLeft, Star, Users } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { ProjectTags } from '@/components/project/project-tag';
import { byIds } from '@/lib/connector-picker';
import { listSearch } from '@/lib/conversation-list';
import { cx } from '@/lib/cx';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatCredits } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useIsNarrow } from '@/lib/use-media-query';
import { useTitle } from '@/lib/use-title';
import type { Conversation } from '@/lib/wire';
import { loadProjectLabels, projectLabelsState } from '@/stores/project-labels-store';
import { favorite, rename, setArchived } from './conversation-actions';
import { ConversationAccess } from './conversation-access';
import { ConversationMenu } from './conversation-menu';
import { ConversationPresence } from './conversation-presence';
import { InlineTitle } from './inline-title';
import styles from './conversations.module.css';

/** The open conversation's name and projects, and what can be done with it. */
export function ConversationHeader({ conversation }: { conversation: DeepReadonly<Conversation> }) {
  const { id, abilities } = conversation;
  const narrow = useIsNarrow();
  useTitle(conversation.name);
  const [address] = useSearchParams();
  const [renaming, setRenaming] = useState(false);
  const [managing, setManaging] = useState(false);

  return (
    <header className={styles.header}>
      {narrow && (
        <IconButton asChild variant="ghost" color="gray" aria-label="Back to the list" mr="1">
          <Link to={paths.conversations + listSearch(address)}>
            <ArrowLeft size={18} />
          </Link>
        </IconButton>
      )}
      <div className={styles.title}>
        <InlineTitle
          name={conversation.name}
          editable={abilities.rename}
          editing={renaming}
          onEditing={setRenaming}
          onRename={(name) => void rename(id, name)}
        />
        <ConversationProjects ids={conversation.projectLabels} />
      </div>
      <ConversationPresence conversationId={id} />
      {conversation.ownerStatus === 'shared' && (
        <Tooltip content={`Shared by ${conversation.owner.fullName}`}>
          <Badge color="gray" tabIndex={0}>
            View only
          </Badge>
        </Tooltip>
      )}
      {!narrow && (
        <Tooltip content="Credits used by this conversation">
          <Badge color="gray" variant="soft" tabIndex={0} mr="2">
            {formatCredits(conversation.credits)} credits
          </Badge>
        </Tooltip>
      )}
      {conversation.status === 'archived' && (
        <Button variant="soft" size="2" mr="2" onClick={() => void setArchived(id, 'active')}>
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
            onClick={() => setManaging(true)}
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
      <ConversationMenu
        conversation={conversation}
        onRename={() => setRenaming(true)}
        onManageAccess={narrow ? () => setManaging(true) : undefined}
      />
      {managing && (
        <ConversationAccess
          conversationId={id}
          editable={abilities.manageAccess}
          onClose={() => setManaging(false)}
        />
      )}
    </header>
  );
}

/** The projects that the conversation belongs to, by colour and name. */
function ConversationProjects({ ids }: { ids: readonly number[] }) {
  const { labels } = useSnapshot(projectLabelsState);
  const known = byIds(labels, ids);
  const missing = known.length < ids.length;

  useEffect(() => {
    // A project that another person has just made is not in the list yet.
    if (missing) void loadProjectLabels();
  }, [missing]);

  return <ProjectTags projects={known} />;
}
