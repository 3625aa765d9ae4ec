import { lazy, Suspense, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import type { TranscriptMessage } from '@/components/transcript/message';
import type { MessageFilter } from '@/lib/chat-message';
import { isDebugMode } from '@/lib/debug-mode';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { useIsNarrow } from '@/lib/use-media-query';
import type { Conversation, MessageRole } from '@/lib/wire';
import {
  sendMessage,
  sessionLog,
  updateConversation,
  type EarlierState,
  type TurnState,
} from '@/stores/conversation-session';
import { draftsState, restoreDraft } from '@/stores/drafts-store';
import { meState } from '@/stores/me-store';
import { BehindBar } from './behind-bar';
import { ConnectorPicker } from './connector-picker-lazy';
import { ConnectorsTab } from './connectors-tab-lazy';
import { ConversationFooter } from './conversation-footer';
import { ConversationHeader } from './conversation-header';
import { ConversationTabs } from './conversation-tabs';
import { filters, namedTab, openingTab, type ConversationTab } from './message-filters';
import { TranscriptPanel } from './transcript-panel';
import { useAskedSources } from './use-asked-sources';
import { ViewMenu } from './view-menu';

// It is loaded on demand, because a conversation with answers never shows it.
const ConversationGreeting = lazy(async () => ({
  default: (await import('./conversation-greeting')).ConversationGreeting,
}));

interface ConversationViewProps {
  conversation: DeepReadonly<Conversation>;
  turn: DeepReadonly<TurnState>;
  /** The shown state is older than a change that could not be fetched. */
  behind: boolean;
  earlier: DeepReadonly<EarlierState>;
}

/** The ids are joined to a string, so that equal ids are an equal value in the next render. */
function idsOf(joined: string): number[] {
  return joined === '' ? [] : joined.split(',').map(Number);
}

/** An address with some of its parts replaced or removed. */
function changed(address: URLSearchParams, parts: Record<string, string | null>): URLSearchParams {
  const next = new URLSearchParams(address);
  for (const [name, value] of Object.entries(parts)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return next;
}

/** The role of the message that a link leads to, once that is loaded. */
function useLinkedRole(highlightId: string | null): MessageRole | null {
  const id = highlightId?.replace(/^message-/u, '');
  return useSyncExternalStore(sessionLog.subscribe, () =>
    id === undefined ? null : (sessionLog.snapshot().find((message) => message.id === id)?.role ?? null),
  );
}

/** The open conversation: header, tabs, footer. */
export function ConversationView({ conversation, turn, behind, earlier }: ConversationViewProps) {
  const { id, abilities } = conversation;
  const sources = useAskedSources(id, conversation.dataSources, abilities.send);
  // Connectors that no longer exist are sent, too: the answer explains why they cannot be used.
  const joined = [...sources.ids, ...sources.unknown].join();
  const { user } = useSnapshot(meState);
  const narrow = useIsNarrow();
  const [search, setSearch] = useSearchParams();
  const highlightId = search.get('message_id');
  const linked = useLinkedRole(highlightId);
  const chosen = namedTab(search);
  const [filter, setFilter] = useState<MessageFilter>('all');
  const [picking, setPicking] = useState(false);
  const opening = openingTab(conversation.ownerStatus === 'shared', linked);
  // Its tab disappears with the last connector.
  const tab = chosen === null || (chosen === 'connectors' && sources.ids.length === 0) ? opening : chosen;
  const author = user?.fullName ?? null;
  const canSend = abilities.send && conversation.status === 'active';

  const send = useCallback(
    async (text: string, analystId: number | null, iceBreakerId?: number): Promise<void> => {
      const taken = await sendMessage(id, {
        text,
        analystId,
        iceBreakerId,
        dataSources: idsOf(joined),
        author,
      });
      // It is put before the text that was typed meanwhile.
      if (!taken) restoreDraft(id, text);
    },
    [id, joined, author],
  );

  const retry = useCallback(
    (message: TranscriptMessage): void => {
      const all = sessionLog.snapshot();
      const at = all.findIndex((other) => other.id === message.id);
      const question = all.slice(0, at).findLast((other) => other.role === 'user');
      if (!question) return;
      // The steps of a blueprint have their own agents.
      const asked = question.iceBreakerId === undefined ? (all[at]?.analystId ?? null) : null;
      void send(question.text, asked, question.iceBreakerId);
    },
    [send],
  );

  // It uses the agent that is selected in the box; the text in the box is kept.
  const ask = useCallback(
    (question: string): void => void send(question, draftsState.drafts[id]?.analystId ?? null),
    [id, send],
  );

  // Each view is an entry in the history. A press on a tab selects it twice, by the pointer and by the focus, which
  // would add a second entry.
  const asked = useRef<ConversationTab | null>(null);
  useEffect(() => {
    asked.current = null;
  }, [tab]);
  const setTab = (to: ConversationTab): void => {
    if (asked.current === to) return;
    asked.current = to;
    setSearch((address) => changed(address, { tab: to }), { preventScrollReset: true });
  };
  const goTo = useCallback(
    (message: TranscriptMessage): void =>
      setSearch((address) => changed(address, { tab: null, message_id: `message-${message.id}` })),
    [setSearch],
  );
  const changeSources = (ids: number[]): void => {
    // Connectors that belong to the conversation need not be chosen; those that no longer exist are kept until they
    // are removed.
    const others = [...ids.filter((one) => !sources.own.includes(one)), ...sources.unknown];
    void updateConversation(id, { dataSources: others });
  };
  const dropGone = (): void => {
    const there = conversation.dataSources.filter((one) => !sources.gone.includes(one));
    void updateConversation(id, { dataSources: there });
  };
  const greeting = (
    <Suspense fallback={null}>
      <ConversationGreeting
        connectors={sources.ids.length}
        onAddConnector={canSend ? () => setPicking(true) : undefined}
        onAsk={canSend ? ask : undefined}
      />
    </Suspense>
  );
  const shown = tab === 'analytics' ? filter : 'summary';
  const passes = shown === 'all' && user?.isSuperuser === true && isDebugMode() ? 'debug' : shown;
  const views = { tab, onTab: setTab, filter, onFilter: setFilter, connectors: sources.ids.length };

  return (
    <>
      <ConversationHeader conversation={conversation} views={narrow ? <ViewMenu {...views} /> : null} />
      {behind && <BehindBar />}
      <ConversationTabs {...views} narrow={narrow}>
        {tab === 'connectors' ? (
          <ConnectorsTab sources={sources.known} />
        ) : (
          <TranscriptPanel
            // Each filter shows a separate list, which opens at its end like the first one.
            key={shown}
            {...{ conversation, turn, earlier, highlightId }}
            passes={filters[passes]}
            empty={greeting}
            onRetry={retry}
            onGoTo={goTo}
            onAsk={ask}
          />
        )}
      </ConversationTabs>
      <ConversationFooter
        conversation={conversation}
        turn={turn}
        onSend={send}
        dataSources={sources}
        onDataSources={changeSources}
        onDropGone={dropGone}
      />
      {picking && (
        <ConnectorPicker
          conversation={id}
          selected={sources.ids}
          locked={sources.own}
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
