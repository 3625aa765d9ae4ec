import { useSnapshot } from 'valtio';
import { FeedbackBar } from '@/components/feedback/feedback-bar';
import type { TranscriptMessage } from '@/components/transcript/message';
import { emptyFeedback } from '@/lib/feedback';
import { draftFeedback, feedbackState, loadSentiments, sendFeedback } from '@/stores/feedback-store';
import { meState } from '@/stores/me-store';

/** Feedback of this person on one answer: the given feedback, or the buttons to give it. */
export function AnswerFeedback({ message }: { message: TranscriptMessage }) {
  const { sentiments, drafts, given } = useSnapshot(feedbackState);
  const { user } = useSnapshot(meState);
  const myId = user?.id;
  const { id, feedback = [] } = message;
  const told = feedback.find(({ userId }) => userId === myId)?.sentiment;
  const draft = drafts[id] ?? emptyFeedback;
  return (
    <FeedbackBar
      sentiments={sentiments}
      onWant={loadSentiments}
      given={told ?? given[id] ?? null}
      draft={draft}
      onDraft={(changes) => draftFeedback(id, changes)}
      onSend={(sentiment) => sendFeedback(id, sentiment)}
    />
  );
}
