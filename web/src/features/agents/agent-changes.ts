import type { GrantChange } from '@/lib/access';
import type { AnalystRequest } from '@/lib/wire';
import { removeAgent, saveAgent, toggleAgent } from '@/stores/agents-store';
import { loadAnalysts } from '@/stores/analysts-store';

/*
 * What people choose from in a conversation is a list of its own: a change here shows there, too. Where it cannot be
 * fetched again, what is held stays, as for an agent that somebody else has changed.
 */
function offerAgain(): void {
  loadAnalysts().catch(() => undefined);
}

/** Saves an agent, new or as it is, with who may use it. */
export async function save(
  id: number | null,
  request: AnalystRequest,
  access: readonly GrantChange[],
): ReturnType<typeof saveAgent> {
  const saved = await saveAgent(id, request, access);
  if (saved.agent) offerAgain();
  return saved;
}

/** Switches an agent on or off. */
export async function toggle(agent: Parameters<typeof toggleAgent>[0], isEnabled: boolean): Promise<boolean> {
  const done = await toggleAgent(agent, isEnabled);
  if (done) offerAgain();
  return done;
}

/** Deletes an agent for good. */
export async function remove(id: number): Promise<boolean> {
  const done = await removeAgent(id);
  if (done) offerAgain();
  return done;
}
