import type { EndCode } from '@/lib/sign-in';
import { resetAnalysts } from '@/stores/analysts-store';
import { resetBaseData } from '@/stores/base-data';
import { resetBlueprints } from '@/stores/blueprints-store';
import { closeConversation } from '@/stores/conversation-session';
import { resetConversationSources } from '@/stores/conversation-sources-store';
import { resetConversations } from '@/stores/conversations-store';
import { resetDataSources } from '@/stores/datasources-store';
import { resetDisplayObjects } from '@/stores/display-objects-store';
import { resetDrafts } from '@/stores/drafts-store';
import { resetFeedback } from '@/stores/feedback-store';
import { resetProjectLabels } from '@/stores/project-labels-store';
import { stopStream } from '@/stores/stream-bindings';

/**
 * Lets go of everything of the person who was signed in, so that the next one finds nothing of it. What
 * they were typing when the session ended by itself waits for them, and goes when somebody else comes.
 */
export function forgetEverything(code: EndCode): void {
  stopStream();
  closeConversation();
  resetConversations();
  resetConversationSources();
  resetBlueprints();
  resetDataSources();
  resetAnalysts();
  resetDisplayObjects();
  if (code === 'signed-out') resetDrafts();
  resetFeedback();
  resetProjectLabels();
  resetBaseData();
}
