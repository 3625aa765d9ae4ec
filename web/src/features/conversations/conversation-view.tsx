import { Callout, SegmentedControl, Tabs, Text } from '@radix-ui/themes';
import { TriangleAlert } from 'lucide-react';
import { useCallback, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import type { TranscriptMessage } from '@/components/transcript';
import type { MessageFilter } from '@/lib/chat-message';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Conversation } from '@/lib/wire';
import {
  sendMessage,
  sessionLog,
  updateConversation,
  type EarlierState,
  type TurnState,
} from '@/stores/conversation-session';
import { changeDraft, draftsState } from '@/stores/drafts-store';
import { meState } from '@/stores/me-store';
import { BehindBar } from './behind-bar';
import { Composer } from './composer';
import { ConnectorPicker } from './connector-picker';
import { ConnectorsTab } from './connectors-tab';
import { restoreDraft, stop } from './conversation-actions';
import { ConversationGreeting } from './conversation-greeting';
import { ConversationHeader } from './conversation-header';
import { filters, TranscriptPanel } from './transcript-panel';
import styles from './conversations.module.css';

interface ConversationViewProps {
  conversation: DeepReadonly<Conversation>;
  turn: DeepReadonly<TurnState>;
  /** What is shown is from before something that could not be fetched. */
  behind: boolean;
  earlier: DeepReadonly<EarlierState>;
}

const filterLabels: Record<MessageFilter, string> = {
  all: 'All',
  datasources: 'Data sources',
  executive: 'Executive',
  notes: 'Notes',
};

function isFilter(value: string): value is MessageFilter {
  return value in filterLabels;
}

/** The open conversation: header, tabs, footer. */
export function ConversationView({ conversation, turn, behind, earlier }: ConversationViewProps) {
  const { id, abilities, dataSources } = conversation;
  const { user } = useSnapshot(meState);
  const [search] = useSearchParams();
  const [tab, setTab] = useState('analytics');
  const [filter, setFilter] = useState<MessageFilter>('all');
  const [picking, setPicking] = useState(false);
  const highlightId = search.get('message_id');
  const author = user?.fullName ?? null;
  const active = conversation.status === 'active';
  const running = turn.phase === 'running' || turn.phase === 'stopping';

  const send = useCallback(
    async (text: string, analystId: number | null, iceBreakerId?: number): Promise<void> => {
      const taken = await sendMessage(id, {
        text,
        analystId,
        iceBreakerId,
        dataSources: [...dataSources],
        author,
      });
      // What was typed meanwhile is kept with it.
      if (!taken) restoreDraft(id, text);
    },
    [id, dataSources, author],
  );

  const retry = useCallback(
    (message: TranscriptMessage): void => {
      const all = sessionLog.snapshot();
      const at = all.findIndex((other) => other.id === message.id);
      const question = all.slice(0, at).findLast((other) => other.role === 'user');
      if (!question) return;
      // A blueprint's steps bring their own agents.
      const asked = question.iceBreakerId === undefined ? (all[at]?.analystId ?? null) : null;
      void send(question.text, asked, question.iceBreakerId);
    },
    [send],
  );

  // With the agent that the box would ask; what is being typed there stays.
  const ask = useCallback(
    (question: string): void => void send(question, draftsState.drafts[id]?.analystId ?? null),
    [id, send],
  );

  const changeSources = (ids: number[]): void => void updateConversation(id, { dataSources: ids });
  const greeting = (
    <ConversationGreeting
      connectors={dataSources.length}
      onAddConnector={abilities.send && active ? () => setPicking(true) : undefined}
      onAsk={abilities.send && active ? ask : undefined}
    />
  );
  const panel = { conversation, turn, earlier, highlightId, empty: greeting, onRetry: retry, onAsk: ask };

  return (
    <>
      <ConversationHeader conversation={conversation} />
      {behind && <BehindBar />}
      <Tabs.Root value={tab} onValueChange={setTab} className={styles.tabs ?? ''}>
        <div className={styles.bar}>
          <Tabs.List size="2">
            <Tabs.Trigger value="summary">Summary</Tabs.Trigger>
            <Tabs.Trigger value="analytics">Analytics</Tabs.Trigger>
            {dataSources.length > 0 && (
              <Tabs.Trigger value="connectors">Connectors ({dataSources.length})</Tabs.Trigger>
            )}
          </Tabs.List>
          {tab === 'analytics' && (
            <div className={styles.filterControl}>
              <SegmentedControl.Root
                size="1"
                value={filter}
                aria-label="Show messages"
                onValueChange={(value) => isFilter(value) && setFilter(value)}
              >
                {Object.entries(filterLabels).map(([value, label]) => (
                  <SegmentedControl.Item key={value} value={value}>
                    {label}
                  </SegmentedControl.Item>
                ))}
              </SegmentedControl.Root>
            </div>
          )}
        </div>
        <Tabs.Content value="summary">
          <TranscriptPanel {...panel} passes={filters.summary} />
        </Tabs.Content>
        <Tabs.Content value="analytics">
          {/* Each filter shows a list of its own, which opens at its end as the first one did. */}
          <TranscriptPanel key={filter} {...panel} passes={filters[filter]} />
        </Tabs.Content>
        <Tabs.Content value="connectors">
          <ConnectorsTab conversationId={id} ids={dataSources} />
        </Tabs.Content>
      </Tabs.Root>
      {turn.phase === 'ended' && <TurnEnd turn={turn} shown={tab === 'analytics' ? filter : null} />}
      {!active ? null : abilities.send ? (
        <Composer
          draftKey={id}
          dataSources={dataSources}
          onDataSources={changeSources}
          onSend={(text, analystId) => {
            // Only what is sent from the box leaves it; asking again keeps what is being typed.
            changeDraft(id, { text: '' });
            void send(text, analystId);
          }}
          onStop={() => void stop(id)}
          running={running}
          busy={turn.phase === 'sending' || turn.phase === 'stopping'}
        />
      ) : (
        <footer className={styles.footer}>
          <div className={styles.readOnly}>
            <Text size="2" color="gray">
              {conversation.owner.fullName} shares this conversation with you. You see it live and cannot send
              messages.
            </Text>
          </div>
        </footer>
      )}
      {picking && (
        <ConnectorPicker
          selected={dataSources}
          onClose={() => setPicking(false)}
          onConfirm={(ids) => {
            changeSources(ids);
            setPicking(false);
          }}
        />
      )}
    </>
  );
}

interface TurnEndProps {
  turn: Extract<DeepReadonly<TurnState>, { phase: 'ended' }>;
  /** The filter of the messages that are shown; `null` where none are that could be cut off. */
  shown: MessageFilter | null;
}

/** A turn that ended without success is never shown as if it had. */
function TurnEnd({ turn, shown }: TurnEndProps) {
  // The message hears of its end a moment after the turn does.
  const last = useSyncExternalStore(sessionLog.subscribe, sessionLog.snapshot).at(-1);
  const cutOff = last?.status === 'failed' || last?.status === 'interrupted';
  // Where the message that was cut off is shown, it tells of the end itself.
  if (cutOff && shown !== null && filters[shown](last)) return null;
  const fallback = turn.status === 'failed' ? 'The answer failed.' : 'The answer was interrupted.';
  return (
    <div className={styles.footer}>
      <div className={styles.footerInner}>
        <Callout.Root color={turn.status === 'failed' ? 'red' : 'amber'} size="1" role="status">
          <Callout.Icon>
            <TriangleAlert size={16} />
          </Callout.Icon>
          <Callout.Text>{turn.reason === '' ? fallback : turn.reason}</Callout.Text>
        </Callout.Root>
      </div>
    </div>
  );
}
