import { startBlueprint, type BlueprintStart } from './blueprints-store/start';
import { putConversation } from './conversations-store';

/** Starts a conversation with a blueprint, and adds it to the list. */
export async function beginWithBlueprint(
  id: number,
  inputs: Readonly<Record<string, string>>,
): Promise<BlueprintStart> {
  const outcome = await startBlueprint(id, inputs);
  if ('conversation' in outcome) putConversation({ ...outcome.conversation, messageSet: [] });
  return outcome;
}
