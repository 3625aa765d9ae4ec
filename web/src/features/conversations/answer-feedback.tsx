import { useSnapshot } from 'valtio';
import { FeedbackBar } from '@/components/feedback/feedback-bar';
import type { TranscriptMessage } from '@/components/transcript/message';
import { draftFeedback, feedbackState, loadSentiments, sendFeedback } from '@/stores/feedback-store';
import { meState } from '@/stores/me-store';

/** Feedback of this person on one answer: the given feedback, or the buttons to give it. */
export function AnswerFeedback({ message }: { message: TranscriptMessage }) {
  const { sentiments, drafts, given } = useSnapshot(feedbackState);
  const { user } = useSnapshot(meState);
  const myId = user?.id;
  const { id, feedback = [] } = message;
  const told = feedback.find(({ userId }) => userId === myId)?.sentiment;
  return (
    <FeedbackBar
      sentiments={sentiments}
      onWant={loadSentiments}
      given={told ?? given[id] ?? null}
      draft={drafts[id] ?? ''}
      onDraft={(comment) => draftFeedback(id, comment)}
      onSend={(sentiment, values) => sendFeedback(id, sentiment, values)}
    />
  );
}
