import { useState } from 'react';
import { useNavigate } from 'react-router';
import { paths } from '@/lib/paths';
import { useIsShown } from '@/lib/use-is-shown';
import { openConversation, sendMessage } from '@/stores/conversation-session';
import { startConversation } from '@/stores/conversation-start';
import { putConversation } from '@/stores/conversations-store';
import { changeDraft, draftsState } from '@/stores/drafts-store';
import { meState } from '@/stores/me-store';

/** The name of the draft of the home page. */
export const homeDraft = 'home';

interface Question {
  text: string;
  dataSources: number[];
  /** `null` is the default agent. */
  analystId: number | null;
}

interface Ask {
  /** A question is on its way. */
  busy: boolean;
  ask: (question: Question) => Promise<void>;
}

/** Sends a question as the first of a new conversation, and goes there. */
export function useAsk(): Ask {
  const navigate = useNavigate();
  const isShown = useIsShown();
  const [busy, setBusy] = useState(false);

  async function ask({ text, dataSources, analystId }: Question): Promise<void> {
    if (busy) return;
    setBusy(true);
    const created = await startConversation(text, dataSources);
    if (!created) {
      setBusy(false);
      return;
    }
    putConversation({ ...created, messageSet: [] });
    // A user who has gone elsewhere meanwhile stays there; the question is sent all the same.
    if (isShown()) await openConversation(created.id);
    // A question that was offered leaves what is being typed.
    if (draftsState.drafts[homeDraft]?.text === text) {
      changeDraft(homeDraft, { text: '', dataSources: null, analystId: null });
    }
    changeDraft(created.id, { analystId });
    const sending = sendMessage(created.id, {
      text,
      analystId,
      dataSources,
      author: meState.user?.fullName ?? null,
    });
    if (isShown()) await navigate(paths.conversation(created.id));
    // Where the send fails the question is found in the conversation's own box.
    if (!(await sending)) changeDraft(created.id, { text });
  }

  return { busy, ask };
}
