import { call } from './client';
import type { BlueprintQuery } from '@/lib/blueprint';
import type { Blueprint, Page, StartedConversation, UseCaseCategory } from '@/lib/wire';

export function listBlueprints(
  query: BlueprintQuery,
  page: number,
  pageSize: number,
): Promise<Page<Blueprint>> {
  return call('GET', 'discourse/blueprints', {
    query: {
      page,
      page_size: pageSize,
      library_scope: query.library,
      scope: query.scope,
      use_case_category: query.category ?? undefined,
      search: query.search === '' ? undefined : query.search,
    },
  });
}

export function getBlueprint(id: number): Promise<Blueprint> {
  return call('GET', `discourse/blueprints/${id}`, { quiet: true });
}

export function listUseCaseCategories(): Promise<Page<UseCaseCategory>> {
  return call('GET', 'discourse/blueprints/use-case-categories');
}

export function setBlueprintFavorite(id: number, isFavorite: boolean): Promise<unknown> {
  return call('PUT', `discourse/blueprints/${id}/favorite`, { body: { isFavorite }, quiet: true });
}

/** Makes a conversation whose first turn runs the blueprint. */
export function createBlueprintConversation(
  id: number,
  inputs: Readonly<Record<string, string>>,
  idempotencyKey: string,
): Promise<StartedConversation> {
  return call('POST', `discourse/blueprints/${id}/conversations`, {
    body: { inputs },
    idempotencyKey,
    quiet: true,
  });
}
