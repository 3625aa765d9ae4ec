import { createBlueprintFromConversation } from '@/api/blueprints';
import { AttemptKey } from '@/lib/attempt-key';
import { notify } from '@/lib/notify';
import { serverMessage } from '@/lib/server-message';
import { conversation as t } from '@/messages/conversation';
import { blueprints, blueprintsChanged } from './blueprints';

const generating = new AttemptKey();

/**
 * Writes a blueprint from a conversation, and returns its id; `null` if it was cancelled or failed. `last`, its
 * last message, distinguishes two states of one conversation: pressed again in the same state, it does not create a
 * second blueprint.
 */
export async function blueprintFromConversation(
  conversationId: string,
  last: string,
  signal: AbortSignal,
): Promise<number | null> {
  const key = generating.of([conversationId, last]);
  try {
    const blueprint = await createBlueprintFromConversation(conversationId, key, signal);
    if (signal.aborted) return null;
    generating.done();
    blueprints.put(blueprint);
    blueprintsChanged();
    notify.success(t('blueprint.created'));
    return blueprint.id;
  } catch (error) {
    if (!signal.aborted) notify.error(serverMessage(error, t('blueprint.failed')));
    return null;
  }
}
