import { createBlueprintConversation } from '@/api/blueprints';
import { AttemptKey } from '@/lib/attempt-key';
import { notify } from '@/lib/notify';
import { fieldProblems, serverMessage } from '@/lib/server-message';
import type { Conversation } from '@/lib/wire';
import { blueprints as t } from '@/messages/blueprints';
import { blueprints } from './blueprints';

/** Pressing Start again after a failure must not make a second conversation. */
const attempt = new AttemptKey();

const inputField = 'inputs.';

/** What came of a start: the conversation, or messages by the names of inputs. */
export type BlueprintStart = { conversation: Conversation } | { fields: Record<string, string> };

/** Starts a conversation with a blueprint. What is not about one input is said as a toast. */
export async function startBlueprint(
  id: number,
  inputs: Readonly<Record<string, string>>,
): Promise<BlueprintStart> {
  try {
    const key = attempt.of([id, inputs]);
    const { missingDataSources, ...conversation } = await createBlueprintConversation(id, inputs, key);
    attempt.done();
    blueprints.patch(id, { lastUsedAt: conversation.createdAt });
    if (missingDataSources > 0) notify.info(t('start.withoutSome'));
    return { conversation };
  } catch (error) {
    const fields = fieldProblems(error).filter(({ field }) => field.startsWith(inputField));
    if (fields.length === 0) notify.error(serverMessage(error, t('start.failed')));
    return {
      fields: Object.fromEntries(
        fields.map(({ field, message }) => [field.slice(inputField.length), message]),
      ),
    };
  }
}
