import { Heading } from '@radix-ui/themes';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { byIds } from '@/lib/connector-picker';
import { notify } from '@/lib/notify';
import { paths } from '@/lib/paths';
import { readQueryArray, withQueryArray } from '@/lib/query';
import { useIsShown } from '@/lib/use-is-shown';
import { useTitle } from '@/lib/use-title';
import { conversation as t } from '@/messages/conversation';
import { isAnalystGone } from '@/stores/analysts-store';
import { beginningsState, beginWithQuestion } from '@/stores/begin-with-question';
import { dataSources, holdDataSources } from '@/stores/datasources-store/sources';
import { changeDraft, draftsState, emptyDraft, newDraft } from '@/stores/drafts-store';
import { AskedBlueprint } from './asked-blueprint';
import { BackToList } from './back-to-list';
import { Composer } from './composer';
import { ConnectorPicker } from './connector-picker-lazy';
import { ConversationGreeting } from './conversation-greeting';
import styles from './conversations.module.css';

function numbers(values: readonly unknown[]): number[] {
  return values.filter((value) => typeof value === 'number');
}

/**
 * Chooses the agent that the address names. If it cannot be used, a message says so, and the default agent answers.
 */
async function takeAgent(named: string | number | boolean): Promise<void> {
  const id = typeof named === 'number' && Number.isSafeInteger(named) ? named : null;
  changeDraft(newDraft, { analystId: id });
  if (id !== null && !(await isAnalystGone(id))) return;
  notify.info(t('agent.unavailable'));
  // Another agent may have been chosen while the request was running.
  if (draftsState.drafts[newDraft]?.analystId === id) changeDraft(newDraft, { analystId: null });
}

/** `/conversations/new`: a conversation that is created with its first prompt. */
function NewConversationPage() {
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const draft = useSnapshot(draftsState).drafts[newDraft] ?? emptyDraft;
  const { byId } = useSnapshot(dataSources.state);
  const busy = useSnapshot(beginningsState).underway[newDraft] === true;
  const [picking, setPicking] = useState(false);
  const isShown = useIsShown();
  useTitle(t('new.title'));
  // The address also contains the filters of the list next to this page, which must not change the choices here.
  const asked = numbers(readQueryArray(search, 'dataSources')).join();
  const agent = readQueryArray(search, 'agent')[0];

  useEffect(() => {
    const ids = asked === '' ? [] : asked.split(',').map(Number);
    void holdDataSources(ids).then((gone) => {
      if (gone.length === 0) return;
      notify.info(t('connectors.unavailable', { count: gone.length }));
    });
    changeDraft(newDraft, { dataSources: ids.length > 0 ? ids : null });
  }, [asked]);

  // In a separate effect: a later choice of connectors must not reset an agent that was chosen later.
  useEffect(() => {
    if (agent !== undefined) void takeAgent(agent);
  }, [agent]);

  // An address may name connectors that no longer exist, or that the person was never allowed to use.
  const sources = byIds(Object.values(byId), draft.dataSources ?? []);
  const chosen = sources.map(({ id }) => id);
  // Kept in the address, like the choices made before coming here, so that a reload keeps both.
  const choose = (ids: number[]): void =>
    setSearch((now) => withQueryArray(now, 'dataSources', ids), { replace: true });

  const ask = (text: string, analystId: number | null): void =>
    void beginWithQuestion(
      { text, dataSources: chosen, analystId },
      {
        draft: newDraft,
        isShown,
        onBegun: (id) => navigate(paths.conversation(id), { replace: true }),
      },
    );

  return (
    <>
      <header className={styles.header}>
        <BackToList />
        <Heading as="h1" size="4">
          {t('new.title')}
        </Heading>
      </header>
      <div className={styles.scroll}>
        <ConversationGreeting
          isNew
          connectors={chosen.length}
          onAddConnector={() => setPicking(true)}
          onAsk={(question) => ask(question, draft.analystId)}
        />
      </div>
      <Composer
        draftKey={newDraft}
        dataSources={sources}
        onDataSources={choose}
        onSend={ask}
        onStop={() => undefined}
        running={false}
        busy={busy}
      />
      <AskedBlueprint />
      {picking && (
        <ConnectorPicker
          selected={chosen}
          onClose={() => setPicking(false)}
          onConfirm={(ids) => {
            choose(ids);
            setPicking(false);
          }}
        />
      )}
    </>
  );
}

export { NewConversationPage as Component };
