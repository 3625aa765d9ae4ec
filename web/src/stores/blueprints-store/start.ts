import { createBlueprintConversation } from '@/api/blueprints';
import { AttemptKey } from '@/lib/attempt-key';
import { notify } from '@/lib/notify';
import { submitFailure, type SubmitFailure } from '@/lib/submit-failure';
import type { Conversation } from '@/lib/wire';
import { blueprints as t } from '@/messages/blueprints';
import { blueprints } from './blueprints';

/** Pressing Start again after a failure must not make a second conversation. */
const attempt = new AttemptKey();

/** The result of a start: the conversation, or why there is none; problems name inputs as `inputs.Year`. */
export type BlueprintStart = { conversation: Conversation } | { failure: SubmitFailure };

/** Starts a conversation with a blueprint. */
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
    return { failure: submitFailure(error, t('start.failed')) };
  }
}
