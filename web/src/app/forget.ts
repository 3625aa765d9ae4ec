import type { EndCode } from '@/lib/sign-in';
import { resetAnalysts } from '@/stores/analysts-store';
import { resetBaseData } from '@/stores/base-data';
import { resetBlueprints } from '@/stores/blueprints-store/blueprints';
import { conversationSearch } from '@/stores/conversation-search-store';
import { closeConversation } from '@/stores/conversation-session';
import { resetConversationSources } from '@/stores/conversation-sources-store';
import { resetConversations } from '@/stores/conversations-store';
import { resetDataSources } from '@/stores/datasources-store';
import { resetDisplayObjects } from '@/stores/display-objects-store';
import { resetDrafts } from '@/stores/drafts-store';
import { resetFeedback } from '@/stores/feedback-store';
import { resetMemories } from '@/stores/memories-store';
import { resetProjectLabels } from '@/stores/project-labels-store';
import { resetQuestions } from '@/stores/questions-store';
import { stopStream } from '@/stores/stream-bindings';

/**
 * Lets go of everything of the person who was signed in, so that the next one finds nothing of it. What
 * they were typing when the session ended by itself waits for them, and goes when somebody else comes.
 */
export function forgetEverything(code: EndCode): void {
  stopStream();
  closeConversation();
  resetConversations();
  conversationSearch.reset();
  resetConversationSources();
  resetBlueprints();
  resetDataSources();
  resetAnalysts();
  resetMemories();
  resetDisplayObjects();
  if (code === 'signed-out') resetDrafts();
  resetFeedback();
  resetProjectLabels();
  resetQuestions();
  resetBaseData();
}
