import { Button, Heading, IconButton, Skeleton, Text } from '@radix-ui/themes';
import { Plus, X } from 'lucide-react';
import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import { preloadMarkdown } from '@/components/markdown/markdown';
import { agents as t } from '@/messages/agents';
import { common } from '@/messages/common';
import { closeConversation, openConversation, sessionState } from '@/stores/conversation-session';
import { leaveDisplayObjects } from '@/stores/display-objects-store';
import { TrialConversation } from './trial-conversation';
import styles from './agents.module.css';

preloadMarkdown();

interface TrialPaneProps {
  conversationId: string;
  agentId: number;
  agentName: string;
  /** Begins another conversation. */
  onAgain: () => void;
  onClose: () => void;
}

/** The conversation next to an agent in which it is tried. */
export function TrialPane({ conversationId, agentId, agentName, onAgain, onClose }: TrialPaneProps) {
  const { current } = useSnapshot(sessionState);

  useEffect(() => {
    void openConversation(conversationId);
    // After the views that showed them have been removed.
    return () => queueMicrotask(leaveDisplayObjects);
  }, [conversationId]);
  useEffect(() => closeConversation, []);

  const mine = current.phase !== 'closed' && current.id === conversationId ? current : null;
  return (
    <section className={styles.trial} aria-label={t('trial.title', { name: agentName })}>
      <header className={styles.trialHead}>
        <Heading as="h2" size="3" truncate>
          {t('trial.title', { name: agentName })}
        </Heading>
        <Button size="1" variant="soft" color="gray" onClick={onAgain}>
          <Plus size={14} aria-hidden="true" /> {t('trial.again')}
        </Button>
        <IconButton size="1" variant="ghost" color="gray" aria-label={t('trial.close')} onClick={onClose}>
          <X size={16} aria-hidden="true" />
        </IconButton>
      </header>
      {mine?.phase === 'ready' ? (
        <TrialConversation
          key={conversationId}
          conversation={mine.conversation}
          turn={mine.turn}
          agentId={agentId}
          agentName={agentName}
        />
      ) : mine?.phase === 'missing' ? (
        <Text as="p" size="2" color="gray" className={styles.trialText ?? ''} role="status">
          {t('trial.gone')}
        </Text>
      ) : mine?.phase === 'failed' ? (
        <div className={styles.trialText} role="alert">
          <Text as="p" size="2" color="gray" mb="3">
            {t('trial.unloaded')}
          </Text>
          <Button variant="soft" onClick={() => void openConversation(conversationId)}>
            {common('retry')}
          </Button>
        </div>
      ) : (
        <div className={styles.trialText} role="status" aria-label={common('loading')}>
          <Skeleton height="44px" width="60%" mb="4" />
          <Skeleton height="120px" />
        </div>
      )}
    </section>
  );
}
