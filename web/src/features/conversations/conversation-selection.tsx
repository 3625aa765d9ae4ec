import { Checkbox, Heading, IconButton } from '@radix-ui/themes';
import { Archive, ArchiveRestore, Star, StarOff } from 'lucide-react';
import { useEffect, useState, type RefObject } from 'react';
import { useSnapshot } from 'valtio';
import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import { Tooltip } from '@/components/tooltip/tooltip';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { useHotkey } from '@/lib/use-hotkey';
import type { Conversation } from '@/lib/wire';
import { conversationSelection as t } from '@/messages/conversation-selection';
import { entityMenu } from '@/messages/entity-menu';
import {
  choose,
  chosenConversations,
  keepChosen,
  unchoose,
} from '@/stores/conversation-selection-store/change';
import { conversationSelection } from '@/stores/conversation-selection-store';
import { conversationsState } from '@/stores/conversations-store';
import type { ListName } from './list-name';
import { areFavorites, isOfArchived, obstacleOf, selectableOf, selectRow } from './selectable';
import { actOnSeveral, type SeveralAction } from './several-actions';
import styles from './conversation-list.module.css';

/* What is shown only while conversations are being selected. It is loaded when a person begins to. */

export { selectRow };

interface RowCheckProps {
  list: ListName;
  conversation: DeepReadonly<Conversation>;
  checked: boolean;
}

/** The check box of a row. It says why, where the row cannot be selected. */
export function RowCheck({ list, conversation, checked }: RowCheckProps) {
  const { id, name } = conversation;
  const obstacle = obstacleOf(conversation, isOfArchived(conversationsState, list));
  return (
    <Checkbox
      className={styles.check ?? ''}
      aria-label={t('one', { name })}
      disabled={obstacle !== null}
      title={obstacle === null ? undefined : t(obstacle)}
      checked={checked}
      onClick={(event) => selectRow(list, id, event.shiftKey)}
    />
  );
}

/** The props of the bar. */
export interface SelectionBarProps {
  /** Conversations are being selected; otherwise nothing is shown but a dialog that closes. */
  on: boolean;
  list: ListName;
  /** It is the heading of the page. */
  whole: boolean;
  /** The button that ends the selection, which is next to the bar and stays. */
  mode: RefObject<HTMLButtonElement | null>;
  onEnd: () => void;
}

/** How many conversations are selected, and what can be done with them. */
export function SelectionBar({ on, list, whole, mode, onEnd }: SelectionBarProps) {
  const { chosen } = useSnapshot(conversationSelection);
  const state = useSnapshot(conversationsState);
  const ofArchived = isOfArchived(state, list);
  const selectable = selectableOf(state, list);
  const ids = Object.keys(chosen);
  const [asking, setAsking] = useState<{ open: boolean; ids: string[] }>({ open: false, ids: [] });
  const [busy, setBusy] = useState(false);
  const ready = ids.length > 0 && !busy;

  const present = selectable.join();
  useEffect(() => {
    keepChosen(selectableOf(conversationsState, list));
  }, [list, present]);

  function start(action: SeveralAction): void {
    // As in the menu of a row, archiving asks first, and restoring does not.
    if (action === 'archive') setAsking({ open: true, ids });
    else void act(action, ids);
  }

  async function act(action: SeveralAction, each: readonly string[]): Promise<void> {
    const focused = document.activeElement;
    const byKey =
      focused?.matches(':focus-visible') === true && mode.current?.parentElement === focused.parentElement;
    setBusy(true);
    await actOnSeveral(each, action);
    setBusy(false);
    // The button that was pressed goes with the selection.
    if (byKey) mode.current?.focus();
  }

  useHotkey(on ? { keys: 'Escape', label: t('end'), group: 'list', run: onEnd } : null);
  useHotkey(
    on && ready
      ? {
          keys: 'e',
          label: t(ofArchived ? 'key.unarchive' : 'key.archive'),
          group: 'list',
          run: () => start(ofArchived ? 'unarchive' : 'archive'),
        }
      : null,
  );

  const actions = [
    areFavorites(state, ids) ? 'unfavorite' : 'favorite',
    ofArchived ? 'unarchive' : 'archive',
  ] as const;
  return (
    <>
      {on && (
        <>
          <Checkbox
            className={styles.all ?? ''}
            aria-label={t('all')}
            title={t('all')}
            disabled={selectable.length === 0}
            checked={ids.length === 0 ? false : ids.length < selectable.length ? 'indeterminate' : true}
            onCheckedChange={() =>
              ids.length < selectable.length ? choose(selectable) : unchoose(chosenConversations())
            }
          />
          <Heading as={whole ? 'h1' : 'h2'} size="4" className={styles.titleText ?? ''} aria-live="polite">
            {t('count', { count: ids.length })}
          </Heading>
          {actions.map((action) => (
            <SeveralButton key={action} action={action} disabled={!ready} onStart={start} />
          ))}
        </>
      )}
      <ConfirmDialog
        open={asking.open}
        onOpenChange={(open) => setAsking({ ...asking, open })}
        title={t('archive.title', { count: asking.ids.length })}
        confirmLabel={entityMenu('archive')}
        onConfirm={async () => {
          await act('archive', asking.ids);
          return true;
        }}
      >
        {t('archive.text', { count: asking.ids.length })}
      </ConfirmDialog>
    </>
  );
}

interface SeveralButtonProps {
  action: SeveralAction;
  disabled: boolean;
  onStart: (action: SeveralAction) => void;
}

const icons = { archive: Archive, unarchive: ArchiveRestore, favorite: Star, unfavorite: StarOff } as const;

/** A button for all that is selected, with the words and the sign of a row's menu. */
function SeveralButton({ action, disabled, onStart }: SeveralButtonProps) {
  const Icon = icons[action];
  const label =
    action === 'archive' || action === 'unarchive'
      ? entityMenu(action)
      : entityMenu(action === 'favorite' ? 'favorite.add' : 'favorite.remove');
  return (
    <Tooltip content={label}>
      <IconButton
        variant="soft"
        {...((action === 'favorite' || action === 'unfavorite') && { color: 'gray' as const })}
        aria-label={label}
        disabled={disabled}
        onClick={() => onStart(action)}
      >
        <Icon size={18} />
      </IconButton>
    </Tooltip>
  );
}
