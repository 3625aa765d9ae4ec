import type { GrantChange } from '@/lib/access';
import type { AnalystRequest } from '@/lib/wire';
import { removeAgent, saveAgent, toggleAgent } from '@/stores/agents-store';
import { loadAnalysts } from '@/stores/analysts-store';

/*
 * The agents to choose from in a conversation are a separate list, which must show a change here, too. If it cannot
 * be fetched again, the old list stays, as it does when another person has changed an agent.
 */
function offerAgain(): void {
  loadAnalysts().catch(() => undefined);
}

/** Saves an agent, a new or an existing one, with the people who may use it. */
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
