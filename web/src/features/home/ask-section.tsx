import { Button, Skeleton } from '@radix-ui/themes';
import { Plus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { AgentChoice } from '@/components/agent/agent-choice';
import { AskBox } from '@/components/ask-box/ask-box';
import { ConnectorTag } from '@/components/connector/connector-tag';
import { byIds } from '@/lib/connector-picker';
import { everySource } from '@/lib/datasource-filter';
import { paths } from '@/lib/paths';
import { useList } from '@/lib/use-collection';
import { useIsShown } from '@/lib/use-is-shown';
import { home as t } from '@/messages/home';
import { analysts, defaultAnalyst } from '@/stores/analysts-store';
import { beginningsState, beginWithQuestion } from '@/stores/begin-with-question';
import { dataSources as held } from '@/stores/datasources-store/sources';
import { changeDraft, draftsState, emptyDraft, homeDraft } from '@/stores/drafts-store';
import { loadQuestions, questionsState } from '@/stores/questions-store';
import styles from './home.module.css';

interface AskSectionProps {
  chosen: readonly number[];
  onChosen: (ids: readonly number[]) => void;
  /** Shows the connectors to choose from. */
  onAddConnector: () => void;
}

/** The number of connectors that suggested questions are made from while none is chosen. */
const offeredFrom = 3;

/** The message box of the home page, and suggested questions. */
export function AskSection({ chosen, onChosen, onAddConnector }: AskSectionProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  // Typed text must be rendered before the next key press, or the cursor jumps.
  const draft = useSnapshot(draftsState, { sync: true }).drafts[homeDraft] ?? emptyDraft;
  const { items: sources } = useList(held, everySource);
  const { items: agents } = useList(analysts, undefined);
  const { id: defaultId } = useSnapshot(defaultAnalyst);
  const { questions, status } = useSnapshot(questionsState);
  const busy = useSnapshot(beginningsState).underway[homeDraft] === true;
  const navigate = useNavigate();
  const isShown = useIsShown();
  const lastUsed = [...sources].sort((a, b) => (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? ''));
  const from = (chosen.length > 0 ? [...chosen] : lastUsed.slice(0, offeredFrom).map(({ id }) => id)).join();
  const { analystId } = draft;

  useEffect(() => {
    void loadQuestions(from === '' ? [] : from.split(',').map(Number));
  }, [from]);

  useEffect(() => {
    // The box gets the focus because most people come to write; on a phone that would open the keyboard over the
    // page.
    if (window.matchMedia('(pointer: fine)').matches) box.current?.focus({ preventScroll: true });
  }, []);

  const ask = (text: string, dataSources: readonly number[]): void =>
    void beginWithQuestion(
      { text, dataSources, analystId },
      { draft: homeDraft, isShown, onBegun: (id) => navigate(paths.conversation(id)) },
    );

  return (
    <section aria-label={t('ask.label')}>
      <AskBox
        ref={box}
        text={draft.text}
        onText={(text) => changeDraft(homeDraft, { text })}
        onSend={() => ask(draft.text, chosen)}
        label={t('ask.message')}
        sendLabel={t('ask.send')}
        placeholder={t('ask.placeholder')}
        busy={busy}
      >
        {byIds(sources, chosen).map(({ id, name }) => (
          <ConnectorTag
            key={id}
            name={name}
            onRemove={() => onChosen(chosen.filter((other) => other !== id))}
          />
        ))}
        <Button size="1" variant="ghost" color="gray" mx="1" onClick={onAddConnector}>
          <Plus size={14} /> {t('ask.connector')}
        </Button>
        <span className={styles.agent}>
          <AgentChoice
            agents={agents}
            chosen={analystId ?? defaultId}
            onChoose={(id) => changeDraft(homeDraft, { analystId: id })}
            label={t('ask.agent')}
          />
        </span>
      </AskBox>
      <ul className={styles.questions} aria-label={t('questions')}>
        {status !== 'fetched' && questions.length === 0 && from !== ''
          ? ['a', 'b', 'c'].map((key) => (
              <li key={key} aria-hidden="true">
                <Skeleton width="220px" height="32px" />
              </li>
            ))
          : questions.map(({ text, dataSourceId }) => (
              <li key={text}>
                <button
                  type="button"
                  className={styles.question}
                  disabled={busy}
                  onClick={() => ask(text, chosen.length > 0 ? chosen : [dataSourceId])}
                >
                  {text}
                </button>
              </li>
            ))}
      </ul>
    </section>
  );
}
