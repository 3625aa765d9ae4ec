import { useCallback, useMemo, useState, type ReactNode } from 'react';
import type { Notice } from '@/components/code-block/notice';
import { FeedbackNote } from '@/components/feedback/feedback-note';
import { ForeignLinkDialog } from '@/components/markdown/foreign-link-dialog';
import type { ForeignLink } from '@/components/markdown/links';
import { ConversationHistory } from '@/components/transcript/conversation-history';
import type { TranscriptDisplayObject, TranscriptMessage } from '@/components/transcript/message';
import { chatMessage } from '@/lib/chat-message';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { reasonsOf } from '@/lib/feedback-list';
import { notify } from '@/lib/notify';
import { useNow } from '@/lib/use-now';
import type { Conversation, Message } from '@/lib/wire';
import { FeedbackObject } from './feedback-object';
import styles from './memories.module.css';

interface FeedbackHistoryProps {
  conversation: DeepReadonly<Conversation>;
  /** The message to open at, from the address. */
  messageId: string | null;
}

function showNotice({ tone, text }: Notice): void {
  if (tone === 'success') notify.success(text);
  else notify.error(text);
}

function renderDisplayObject(object: TranscriptDisplayObject): ReactNode {
  return <FeedbackObject object={object} onNotice={showNotice} />;
}

/** The messages of a conversation, with the feedback on each below it. */
export function FeedbackHistory({ conversation, messageId }: FeedbackHistoryProps) {
  // The state of a store is read only; the transcript does not change it either.
  const messageSet = conversation.messageSet as Message[];
  const messages = useMemo(() => messageSet.map(chatMessage), [messageSet]);
  const now = useNow();
  const [link, setLink] = useState<ForeignLink | null>(null);
  const given = useMemo(
    () => new Map(messageSet.map(({ id, feedbackSet }) => [id, feedbackSet])),
    [messageSet],
  );
  const renderFooter = useCallback(
    ({ id }: TranscriptMessage): ReactNode =>
      (given.get(id) ?? []).map((feedback) => (
        <FeedbackNote
          key={feedback.id}
          sentiment={feedback.sentiment[0]?.name ?? ''}
          labels={reasonsOf(feedback)}
          comments={feedback.commentSet}
          user={feedback.user.fullName}
          createdAt={feedback.createdAt}
        />
      )),
    [given],
  );
  return (
    <div className={styles.reviewBody}>
      <ConversationHistory
        conversationId={conversation.id}
        messages={messages}
        messageId={messageId}
        now={now}
        renderDisplayObject={renderDisplayObject}
        renderFooter={renderFooter}
        onForeignLink={setLink}
        onNotice={showNotice}
      />
      <ForeignLinkDialog link={link} onClose={() => setLink(null)} />
    </div>
  );
}
