import { call } from './client';
import { path } from './path';
import type { AgentQuery } from '@/lib/agent';
import type { AgentModel, Analyst, AnalystRequest, Page } from '@/lib/wire';

const pageSize = 100;

/** The agents that can be asked. */
export function listAnalysts(): Promise<Page<Analyst>> {
  return call('GET', path`analyst/analysts`, { query: { page_size: pageSize }, quiet: true });
}

export function getDefaultAnalyst(): Promise<Analyst> {
  return call('GET', path`analyst/default`, { quiet: true });
}

/** Agents to administer, with those that are switched off. */
export function findAnalysts(query: AgentQuery, page: number): Promise<Page<Analyst>> {
  const { scope, project, search } = query;
  return call('GET', path`analyst/analysts`, {
    query: {
      page_size: pageSize,
      page,
      filter_enabled: false,
      scope: scope === 'all' ? undefined : scope,
      project_label: project ?? undefined,
      search: search === '' ? undefined : search,
    },
    quiet: true,
  });
}

export function getAnalyst(id: number): Promise<Analyst> {
  return call('GET', path`analyst/analysts/${id}`, { quiet: true });
}

export function createAnalyst(agent: AnalystRequest, idempotencyKey: string): Promise<Analyst> {
  return call('POST', path`analyst/analysts`, { body: agent, idempotencyKey, quiet: true });
}

/** `version` of the agent is the one that was edited: a change in between is refused. */
export function changeAnalyst(id: number, agent: AnalystRequest): Promise<Analyst> {
  return call('PUT', path`analyst/analysts/${id}`, { body: agent, quiet: true });
}

export function deleteAnalyst(id: number): Promise<unknown> {
  return call('DELETE', path`analyst/analysts/${id}`, { quiet: true });
}

export function setAnalystFavorite(id: number, isFavorite: boolean): Promise<unknown> {
  return call('PUT', path`analyst/analysts/${id}/favorite`, { body: { isFavorite }, quiet: true });
}

/** The models that agents can be given, the usual one first. */
export async function listActiveModels(): Promise<AgentModel[]> {
  const query = { page_size: 1000 };
  return (await call<Page<AgentModel>>('GET', path`analyst/analysts/active-models`, { query })).results;
}
