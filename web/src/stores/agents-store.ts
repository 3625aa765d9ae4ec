import { proxy } from 'valtio';
import {
  changeAnalyst,
  createAnalyst,
  deleteAnalyst,
  findAnalysts,
  getAnalyst,
  listActiveModels,
  setAnalystFavorite,
} from '@/api/analysts';
import { saveGrants } from '@/api/grants';
import type { GrantChange } from '@/lib/access';
import type { AgentQuery } from '@/lib/agent';
import { atSignOut } from '@/lib/at-sign-out';
import { AttemptKey } from '@/lib/attempt-key';
import { Collection } from '@/lib/collection';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import { notify } from '@/lib/notify';
import { withServerMessage } from '@/lib/server-message';
import { submitFailure, type SubmitFailure } from '@/lib/submit-failure';
import type { AgentModel, Analyst, AnalystRequest } from '@/lib/wire';
import { agents as t } from '@/messages/agents';

/**
 * The agents for superusers to manage, including those that are switched off. Each scope is fetched on its first
 * use.
 */
export const agents = new Collection<Analyst, AgentQuery>({
  list: findAnalysts,
  get: (id) => getAnalyst(Number(id)),
  belongs: ({ isFavorite, projectLabels }, { scope, project }) =>
    (scope !== 'favorite' || isFavorite) &&
    (project === null || projectLabels.some(({ id }) => id === project)),
});

/** The models that agents can be given. */
interface ModelsState {
  status: LoadStatus;
  models: AgentModel[];
}

const initial = (): ModelsState => ({ status: 'initial', models: [] });

const models = proxy<ModelsState>(initial());

export const agentModels: DeepReadonly<ModelsState> = models;

/** Counts resets: an answer to a request from before a reset is not stored. */
const person = { count: 0 };

const attempt = new AttemptKey();

export async function loadAgentModels(): Promise<void> {
  if (models.status === 'fetching' || models.status === 'fetched') return;
  models.status = 'fetching';
  const mine = person.count;
  try {
    const found = await listActiveModels();
    if (mine === person.count) Object.assign(models, { status: 'fetched', models: found });
  } catch {
    // The error list shows the reason; the next page that needs them tries again.
    if (mine === person.count) models.status = 'failed';
  }
}

/** The result of saving: the agent as the server saved it, and what could not be saved. */
interface AgentSaved {
  agent: Analyst | null;
  failure: SubmitFailure | null;
}

/**
 * Makes an agent, or changes the one with this id, and then its access. If only the second step fails, the saved
 * agent is returned, so that the next try can start from it.
 */
export async function saveAgent(
  id: number | null,
  request: AnalystRequest,
  access: readonly GrantChange[],
): Promise<AgentSaved> {
  let agent: Analyst;
  try {
    agent =
      id === null ? await createAnalyst(request, attempt.of(request)) : await changeAnalyst(id, request);
    attempt.done();
    agents.put(agent);
  } catch (error) {
    return { agent: null, failure: submitFailure(error, t(id === null ? 'failed.create' : 'failed.update')) };
  }
  try {
    if (access.length > 0) await saveGrants({ kind: 'analyst', id: agent.id }, access);
  } catch (error) {
    return { agent, failure: { message: withServerMessage(error, t('failed.access')), fields: [] } };
  }
  notify.success(t(id === null ? 'done.created' : 'done.updated'));
  return { agent, failure: null };
}

/** Switches an agent on or off, unless another person has changed it meanwhile. Returns whether that was done. */
export async function toggleAgent(
  { id, version }: Pick<Analyst, 'id' | 'version'>,
  isEnabled: boolean,
): Promise<boolean> {
  try {
    agents.put(await changeAnalyst(id, { isEnabled, version }));
    notify.success(t('done.updated'));
    return true;
  } catch (error) {
    notify.error(withServerMessage(error, t('failed.update')));
    return false;
  }
}

/** Marks an agent as the user's favourite; it is shown at once, and undone if the server refuses. */
export async function markAgent(id: number, isFavorite: boolean): Promise<void> {
  agents.patch(id, { isFavorite });
  try {
    await setAnalystFavorite(id, isFavorite);
  } catch (error) {
    agents.patch(id, { isFavorite: !isFavorite });
    notify.error(withServerMessage(error, t('failed.favorite')));
  }
}

/** Deletes an agent for good. Returns whether it was deleted. */
export async function removeAgent(id: number): Promise<boolean> {
  try {
    await deleteAnalyst(id);
  } catch (error) {
    notify.error(withServerMessage(error, t('failed.delete')));
    return false;
  }
  agents.forget(id);
  notify.success(t('done.deleted'));
  return true;
}

export function resetAgents(): void {
  person.count++;
  agents.reset();
  Object.assign(models, initial());
}

atSignOut(resetAgents);
