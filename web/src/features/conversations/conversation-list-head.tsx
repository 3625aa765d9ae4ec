import { Heading, IconButton } from '@radix-ui/themes';
import { Plus, SquareCheckBig, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router';
import { useSnapshot } from 'valtio';
import { Tooltip } from '@/components/tooltip/tooltip';
import { openedLater } from '@/lib/opened-later';
import { conversationList as t } from '@/messages/conversation-list';
import { beginSelection, conversationSelection, endSelection } from '@/stores/conversation-selection-store';
import { conversationsState } from '@/stores/conversations-store';
import type { SelectionBarProps } from './conversation-selection';
import { idsOf, type ListName } from './list-name';
import { selectionParts } from './selection-later';
import styles from './conversation-list.module.css';

const SelectionBar = openedLater<SelectionBarProps>(
  async () => (await selectionParts.load()).SelectionBar,
  ({ on }) => on,
);

interface ConversationListHeadProps {
  /** The list below it. */
  list: ListName;
  /** It is the heading of the page. */
  whole: boolean;
  /** The address of a new conversation. */
  newAt: string;
}

/**
 * The first row of the panel: its title, and the ways to select and to begin. While conversations are selected, it
 * says how many, with what can be done with them, so that no row of the list moves.
 */
export function ConversationListHead({ list, whole, newAt }: ConversationListHeadProps) {
  const { on } = useSnapshot(conversationSelection);
  const isEmpty = idsOf(useSnapshot(conversationsState), list).length === 0;
  const mode = useRef<HTMLButtonElement>(null);

  // The next visit of the list begins without a selection.
  useEffect(() => endSelection, []);

  function end(): void {
    // The check boxes go: the focus stays in their row.
    const focused = document.activeElement;
    const row = focused?.closest('[role="checkbox"]')?.parentElement;
    const link = row?.querySelector<HTMLElement>('[data-conversation]');
    if (link) link.focus();
    else if (focused !== null && mode.current?.parentElement?.contains(focused)) mode.current.focus();
    endSelection();
  }

  return (
    <div className={styles.title}>
      <SelectionBar on={on} list={list} whole={whole} mode={mode} onEnd={end} />
      {!on && (
        <Heading as={whole ? 'h1' : 'h2'} size="4" className={styles.titleText ?? ''}>
          {t('title')}
        </Heading>
      )}
      {/* One button for both, so that it keeps the focus. */}
      <Tooltip content={on ? t('select.end') : t('select')}>
        <IconButton
          ref={mode}
          variant="soft"
          color="gray"
          className={styles.mode ?? ''}
          aria-label={on ? t('select.end') : t('select')}
          disabled={!on && isEmpty}
          onClick={on ? end : beginSelection}
        >
          {on ? <X size={18} /> : <SquareCheckBig size={18} />}
        </IconButton>
      </Tooltip>
      {!on && (
        <Tooltip content={t('new')}>
          <IconButton asChild variant="soft" aria-label={t('new')}>
            <Link to={newAt}>
              <Plus size={18} />
            </Link>
          </IconButton>
        </Tooltip>
      )}
    </div>
  );
}
