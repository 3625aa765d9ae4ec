import { call } from './client';
import { path } from './path';
import type { BlueprintQuery } from '@/lib/blueprint';
import type { Blueprint, BlueprintRequest, Page, StartedConversation, UseCaseCategory } from '@/lib/wire';

export function listBlueprints(
  query: BlueprintQuery,
  page: number,
  pageSize: number,
): Promise<Page<Blueprint>> {
  return call('GET', path`discourse/blueprints`, {
    query: {
      page,
      page_size: pageSize,
      library_scope: query.library,
      scope: query.scope,
      use_case_category: query.category ?? undefined,
      project_label: query.project ?? undefined,
      search: query.search === '' ? undefined : query.search,
    },
  });
}

export function getBlueprint(id: number): Promise<Blueprint> {
  return call('GET', path`discourse/blueprints/${id}`, { quiet: true });
}

export function listUseCaseCategories(): Promise<Page<UseCaseCategory>> {
  return call('GET', path`discourse/blueprints/use-case-categories`);
}

export function setBlueprintFavorite(id: number, isFavorite: boolean): Promise<unknown> {
  return call('PUT', path`discourse/blueprints/${id}/favorite`, { body: { isFavorite }, quiet: true });
}

export function createBlueprint(request: BlueprintRequest, idempotencyKey: string): Promise<Blueprint> {
  return call('POST', path`discourse/blueprints`, { body: request, idempotencyKey, quiet: true });
}

/** Writes a blueprint from the questions and answers of a conversation: one step for each prompt. */
export function createBlueprintFromConversation(
  conversationId: string,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<Blueprint> {
  const body = { fromConversation: conversationId };
  return call('POST', path`discourse/blueprints`, { body, idempotencyKey, signal, quiet: true });
}

/** Changes a blueprint. Answers 409 if another person has changed it since the version that the request names. */
export function updateBlueprint(id: number, request: BlueprintRequest): Promise<Blueprint> {
  return call('PUT', path`discourse/blueprints/${id}`, { body: request, quiet: true });
}

export function deleteBlueprint(id: number): Promise<unknown> {
  return call('DELETE', path`discourse/blueprints/${id}`, { quiet: true });
}

/** Moves a blueprint to the archive, or back, for all who can see it. */
export function archiveBlueprint(id: number, isArchived: boolean): Promise<unknown> {
  return call('POST', path`discourse/blueprints/${id}/archive`, { body: { isArchived }, quiet: true });
}

/** Makes a copy that is the caller's own. */
export function copyBlueprint(id: number, name: string, idempotencyKey: string): Promise<Blueprint> {
  return call('POST', path`discourse/blueprints/${id}/copy`, {
    body: { id, name },
    idempotencyKey,
    quiet: true,
  });
}

/** Writes the initial message of a blueprint that need not be saved. */
export async function writeInitialMessage(request: BlueprintRequest, signal?: AbortSignal): Promise<string> {
  const answer = await call<{ initialMessage: string }>('POST', path`discourse/blueprints/initial-message`, {
    body: request,
    quiet: true,
    ...(signal && { signal }),
  });
  return answer.initialMessage;
}

/** Makes a conversation whose first turn runs the blueprint. */
export function createBlueprintConversation(
  id: number,
  inputs: Readonly<Record<string, string>>,
  idempotencyKey: string,
): Promise<StartedConversation> {
  return call('POST', path`discourse/blueprints/${id}/conversations`, {
    body: { inputs },
    idempotencyKey,
    quiet: true,
  });
}
