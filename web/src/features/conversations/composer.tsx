import { Button, Text } from '@radix-ui/themes';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { ConnectorTag } from '@/components/connector/connector-tag';
import { dataSourcesState } from '@/stores/datasources-store';
import { changeDraft, draftsState, emptyDraft } from '@/stores/drafts-store';
import { AgentSelect } from './agent-select';
import { ConnectorPicker } from './connector-picker';
import { MessageBox } from './message-box';
import styles from './conversations.module.css';

interface ComposerProps {
  /** Whose draft this is: a conversation's id, or that of the new one. */
  draftKey: string;
  /** The chosen connectors. */
  dataSources: readonly number[];
  onDataSources: (ids: number[]) => void;
  onSend: (text: string, analystId: number | null) => void;
  onStop: () => void;
  running: boolean;
  busy: boolean;
}

/** The footer: message box, agent, connectors. */
export function Composer(props: ComposerProps) {
  const { draftKey, dataSources, onDataSources, onSend, onStop, running, busy } = props;
  // What is typed must be in the box before the next key, or the cursor jumps.
  const draft = useSnapshot(draftsState, { sync: true }).drafts[draftKey] ?? emptyDraft;
  const { sources } = useSnapshot(dataSourcesState);
  const [picking, setPicking] = useState(false);
  const [tooEarly, setTooEarly] = useState(false);
  if (tooEarly && !running) setTooEarly(false);

  return (
    <footer className={styles.footer}>
      <div className={styles.footerInner}>
        <MessageBox
          text={draft.text}
          onText={(text) => changeDraft(draftKey, { text })}
          onSend={() => onSend(draft.text, draft.analystId)}
          onTooEarly={() => setTooEarly(true)}
          running={running}
          onStop={onStop}
          busy={busy}
        >
          <div className={styles.tags}>
            <AgentSelect
              analystId={draft.analystId}
              onChange={(analystId) => changeDraft(draftKey, { analystId })}
            />
            {dataSources.map((id) => (
              <ConnectorTag
                key={id}
                name={sources.find((source) => source.id === id)?.name ?? `Connector ${id}`}
                onRemove={() => onDataSources(dataSources.filter((other) => other !== id))}
              />
            ))}
            <Button size="1" variant="ghost" color="gray" mx="1" onClick={() => setPicking(true)}>
              <Plus size={14} /> Add Connector
            </Button>
          </div>
        </MessageBox>
        <div role="status">
          {tooEarly && (
            <Text as="p" size="1" weight="medium" className={styles.tooEarly ?? ''}>
              The answer is still on its way. Your text stays here: send it when the answer is there, or stop
              the answer first.
            </Text>
          )}
        </div>
        {!tooEarly && (
          <Text as="p" size="1" color="gray" className={styles.hint ?? ''}>
            Enter sends, Shift+Enter adds a line. Check important numbers against the table.
          </Text>
        )}
      </div>
      {picking && (
        <ConnectorPicker
          selected={dataSources}
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
