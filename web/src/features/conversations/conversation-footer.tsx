import { Text } from '@radix-ui/themes';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { useHotkey } from '@/lib/use-hotkey';
import type { Conversation } from '@/lib/wire';
import { conversation as t } from '@/messages/conversation';
import { keys } from '@/messages/keys';
import { conversationSelection } from '@/stores/conversation-selection-store';
import type { TurnState } from '@/stores/conversation-session';
import { changeDraft, draftsState, emptyDraft, restoreDraft, takeQueued } from '@/stores/drafts-store';
import { Composer } from './composer';
import { stop } from './conversation-actions';
import type { AskedSources } from './use-asked-sources';
import styles from './conversations.module.css';

interface ConversationFooterProps {
  conversation: DeepReadonly<Conversation>;
  turn: DeepReadonly<TurnState>;
  onSend: (text: string, analystId: number | null) => Promise<void>;
  dataSources: Pick<AskedSources, 'known' | 'own' | 'gone' | 'withheld'>;
  onDataSources: (ids: number[]) => void;
  /** Removes the connectors that no longer exist. */
  onDropGone: () => void;
}

/** The message box for the owner, a note instead of it for others, and nothing for an archived conversation. */
export function ConversationFooter(props: ConversationFooterProps) {
  const { conversation, turn, onSend, dataSources, onDataSources, onDropGone } = props;
  const { id, abilities, owner } = conversation;
  const queued = (useSnapshot(draftsState).drafts[id] ?? emptyDraft).queued !== null;
  const running = turn.phase === 'running' || turn.phase === 'stopping';
  const isOpen = conversation.status === 'active' && abilities.send;
  const stopIt = (): void => void stop(id);
  useHotkey(
    isOpen && turn.phase === 'running'
      ? { keys: 'Escape', label: keys('stop'), group: 'conversation', inFields: true, run: stopUnlessNaming }
      : null,
  );

  function stopUnlessNaming({ target }: KeyboardEvent): boolean {
    // In the field of a name, the key ends the editing.
    if (target instanceof HTMLInputElement) return false;
    // It ends the selection in the list first, except for a person who is at the message box.
    if (conversationSelection.on && !(target instanceof HTMLTextAreaElement)) return false;
    stopIt();
    return true;
  }

  useEffect(() => {
    if (!queued || !isOpen || (turn.phase !== 'idle' && turn.phase !== 'ended')) return;
    const waiting = takeQueued(id);
    if (waiting === null) return;
    // The question was asked in expectation of an answer that failed: its author decides whether to send it.
    if (turn.phase === 'ended') restoreDraft(id, waiting);
    else void onSend(waiting, draftsState.drafts[id]?.analystId ?? null);
  }, [queued, isOpen, turn.phase, id, onSend]);

  if (conversation.status !== 'active') return null;
  if (!abilities.send) {
    return (
      <footer className={styles.footer}>
        <div className={styles.footerInner}>
          <div className={styles.readOnly}>
            <Text size="2" color="gray">
              {t('shared', { name: owner.fullName })}
              {dataSources.withheld > 0 && ` ${withheldText(dataSources)}`}
            </Text>
          </div>
        </div>
      </footer>
    );
  }
  return (
    <Composer
      draftKey={id}
      conversation={id}
      dataSources={dataSources.known}
      locked={dataSources.own}
      onDataSources={onDataSources}
      gone={dataSources.gone.length}
      onDropGone={onDropGone}
      onSend={(text, analystId) => {
        // Only sending from the box clears it; asking an earlier question again keeps what is being typed.
        changeDraft(id, { text: '' });
        void onSend(text, analystId);
      }}
      onStop={stopIt}
      running={running}
      busy={turn.phase === 'sending' || turn.phase === 'stopping'}
    />
  );
}

/** Says to a reader why there is no tab for the connectors, or why it does not have all of them. */
function withheldText({ known, withheld }: Pick<AskedSources, 'known' | 'withheld'>): string {
  return known.length === 0 ? t('shared.data') : t('shared.data.some', { count: withheld });
}
