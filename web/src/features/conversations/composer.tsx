import { Button, Text } from '@radix-ui/themes';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { ConnectorTag } from '@/components/connector/connector-tag';
import { conversation as t } from '@/messages/conversation';
import { changeDraft, draftsState, emptyDraft, queueDraft, unqueueDraft } from '@/stores/drafts-store';
import { AgentSelect } from './agent-select';
import { ConnectorPicker } from './connector-picker-lazy';
import { MessageBox } from './message-box';
import { QueuedQuestion } from './queued-question';
import styles from './conversations.module.css';

interface ComposerProps {
  /** Whose draft this is: a conversation's id, or that of the new one. */
  draftKey: string;
  /** The conversation, if it exists already. */
  conversation?: string;
  /** The chosen connectors. */
  dataSources: readonly { readonly id: number; readonly name: string }[];
  /** Those that are always chosen. */
  locked?: readonly number[];
  onDataSources: (ids: number[]) => void;
  /** The number of chosen connectors that no longer exist. */
  gone?: number;
  /** Removes these from the choice. */
  onDropGone?: () => void;
  onSend: (text: string, analystId: number | null) => void;
  onStop: () => void;
  running: boolean;
  busy: boolean;
}

/** The footer: message box, agent, connectors, and the queued question. */
export function Composer(props: ComposerProps) {
  const {
    draftKey,
    conversation,
    dataSources,
    locked = [],
    onDataSources,
    gone = 0,
    onDropGone,
    onSend,
    onStop,
    running,
    busy,
  } = props;
  // Typed text must be rendered before the next key press, or the cursor jumps.
  const draft = useSnapshot(draftsState, { sync: true }).drafts[draftKey] ?? emptyDraft;
  const ids = dataSources.map(({ id }) => id);
  const [picking, setPicking] = useState(false);

  return (
    <footer className={styles.footer}>
      <div className={styles.footerInner}>
        <div role="status">
          {draft.queued !== null && (
            <QueuedQuestion
              text={draft.queued}
              busy={busy}
              onTakeBack={() => unqueueDraft(draftKey)}
              onSendNow={running ? onStop : undefined}
            />
          )}
        </div>
        <MessageBox
          text={draft.text}
          onText={(text) => changeDraft(draftKey, { text })}
          onSend={() => onSend(draft.text, draft.analystId)}
          onQueue={() => queueDraft(draftKey)}
          running={running}
          onStop={onStop}
          busy={busy}
        >
          <div className={styles.tags}>
            <AgentSelect
              analystId={draft.analystId}
              onChange={(analystId) => changeDraft(draftKey, { analystId })}
            />
            {dataSources.map(({ id, name }) => (
              <ConnectorTag
                key={id}
                name={name}
                onRemove={
                  locked.includes(id) ? undefined : () => onDataSources(ids.filter((other) => other !== id))
                }
              />
            ))}
            {gone > 0 && (
              <ConnectorTag gone name={t('connector.gone', { count: gone })} onRemove={onDropGone} />
            )}
            <Button size="1" variant="ghost" color="gray" mx="1" onClick={() => setPicking(true)}>
              <Plus size={14} /> {t('connector.add')}
            </Button>
          </div>
        </MessageBox>
        <Text as="p" size="1" color="gray" className={styles.hint ?? ''}>
          {running ? t('hint.running') : t('hint')}
        </Text>
      </div>
      {picking && (
        <ConnectorPicker
          {...(conversation !== undefined && { conversation })}
          selected={ids}
          locked={locked}
          onClose={() => setPicking(false)}
          onConfirm={(ids) => {
            onDataSources(ids);
            setPicking(false);
          }}
        />
      )}
    </footer>
  );
}
