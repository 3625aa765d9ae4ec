import { Button, Text } from '@radix-ui/themes';
import { Square } from 'lucide-react';
import { useState, useSyncExternalStore, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { AskBox } from '@/components/ask-box/ask-box';
import { ForeignLinkDialog } from '@/components/markdown/foreign-link-dialog';
import type { ForeignLink } from '@/components/markdown/links';
import type { TranscriptDisplayObject } from '@/components/transcript/message';
import { Transcript } from '@/components/transcript/transcript';
import { passesFilter, type ChatMessage } from '@/lib/chat-message';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { useNow } from '@/lib/use-now';
import type { Conversation } from '@/lib/wire';
import { agents as t } from '@/messages/agents';
import { sendMessage, sessionLog, stopTurn, type TurnState } from '@/stores/conversation-session';
import { meState } from '@/stores/me-store';
import { TrialObject } from './trial-object';
import styles from './agents.module.css';

interface TrialConversationProps {
  conversation: DeepReadonly<Conversation>;
  turn: DeepReadonly<TurnState>;
  /** The agent that is asked. */
  agentId: number;
  agentName: string;
}

const passes = ({ role }: Pick<ChatMessage, 'role'>): boolean => passesFilter(role, 'all');
const drawObject = (object: TranscriptDisplayObject): ReactNode => <TrialObject object={object} />;

/** Asks one agent, and shows its answers. */
export function TrialConversation({ conversation, turn, agentId, agentName }: TrialConversationProps) {
  const { id, dataSources } = conversation;
  const messages = useSyncExternalStore(sessionLog.subscribe, sessionLog.snapshot);
  const { user } = useSnapshot(meState);
  const now = useNow();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [link, setLink] = useState<ForeignLink | null>(null);
  const isRunning = turn.phase !== 'idle' && turn.phase !== 'ended';

  async function ask(question: string): Promise<void> {
    const author = user?.fullName ?? null;
    const prompt = { text: question, analystId: agentId, dataSources: [...dataSources], author };
    // A prompt that was not accepted is put back, before text that has been typed since.
    if (!(await sendMessage(id, prompt)))
      setText((typed) => (typed === '' ? question : `${question}\n${typed}`));
  }

  async function stop(): Promise<void> {
    const question = await stopTurn(id);
    if (question !== null) setText((typed) => (typed === '' ? question : `${question}\n${typed}`));
  }

  return (
    <>
      <div className={styles.trialBody}>
        <Transcript
          conversationId={id}
          messages={messages}
          passes={passes}
          now={now}
          readerId={user?.uuid}
          label={t('trial.title', { name: agentName })}
          renderDisplayObject={drawObject}
          isRunning={isRunning}
          progress={turn.phase === 'running' ? turn.progress : null}
          onAsk={isRunning ? undefined : (question) => void ask(question)}
          onForeignLink={setLink}
          onNavigate={(path) => void navigate(path)}
          empty={
            <Text as="p" size="2" color="gray" className={styles.trialText ?? ''}>
              {t('trial.text')} {t('trial.saved')}
            </Text>
          }
        />
      </div>
      <div className={styles.trialFoot}>
        {turn.phase === 'ended' && turn.reason !== '' && (
          <Text as="p" size="1" color="red" mb="2" role="alert">
            {turn.reason}
          </Text>
        )}
        <AskBox
          text={text}
          onText={setText}
          onSend={() => {
            setText('');
            void ask(text);
          }}
          label={t('trial.box')}
          sendLabel={t('trial.send')}
          placeholder={t('trial.placeholder', { name: agentName })}
          busy={isRunning}
        >
          {turn.phase === 'running' && (
            <Button size="1" variant="soft" color="gray" onClick={() => void stop()}>
              <Square size={11} fill="currentColor" aria-hidden="true" /> {t('trial.stop')}
            </Button>
          )}
          <span className={styles.trialGap} />
        </AskBox>
      </div>
      <ForeignLinkDialog link={link} onClose={() => setLink(null)} />
    </>
  );
}
