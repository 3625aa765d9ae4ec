import { call, send } from './client';
import { path } from './path';
import type { DataSourceQuery } from '@/lib/datasource-filter';
import type { DataSource, DataSourceScope, DataSourceType, Facts, FileInfo, Page } from '@/lib/wire';

/** A page of everything. For most people the first one holds all of it. */
export function listDataSources(page: number): Promise<Page<DataSource>> {
  return call('GET', path`memory/datasources`, {
    query: { page_size: 600, page, retrieve_type: 'all' },
    quiet: true,
  });
}

/** Filters on the server, for people with more connectors than one list holds. */
export function findDataSources(query: DataSourceQuery, page: number): Promise<Page<DataSource>> {
  const { filter, project, words } = query;
  return call('GET', path`memory/datasources`, {
    query: {
      page_size: 60,
      page,
      retrieve_type: filter,
      project_label: project ?? undefined,
      search: words === '' ? undefined : words,
    },
    quiet: true,
  });
}

export function getDataSource(id: number, regeneratePreview = false): Promise<DataSource> {
  return call('GET', path`memory/datasources/${id}`, {
    quiet: true,
    ...(regeneratePreview && { query: { regenerate_preview: true } }),
  });
}

/** What was measured of a connector. */
export function getFacts(id: number): Promise<Facts> {
  return call('GET', path`memory/datasources/${id}/facts`, { quiet: true });
}

/** The name and description of a connector. `version` is the one that was edited: a change in between is refused. */
export interface DataSourceChanges {
  name: string;
  description: string;
  projectLabels: number[];
  version: number;
}

export function changeDataSource(id: number, changes: DataSourceChanges): Promise<DataSource> {
  return call('PUT', path`memory/datasources/${id}`, { body: changes, quiet: true });
}

/** Writes the data dictionary of one table, and returns the whole connector. */
export function saveDictionary(resourceId: number, details: string): Promise<DataSource> {
  return call('PATCH', path`memory/dataresources/${resourceId}`, { body: { details }, quiet: true });
}

export function setDataSourceFavorite(id: number, isFavorite: boolean): Promise<unknown> {
  return call('PUT', path`memory/datasources/${id}/favorite`, { body: { isFavorite }, quiet: true });
}

export function archiveDataSource(id: number): Promise<unknown> {
  return call('POST', path`memory/datasources/${id}/archive`, { quiet: true });
}

export function deleteDataSource(id: number): Promise<unknown> {
  return call('DELETE', path`memory/datasources/${id}`, { quiet: true });
}

/** Replaces the file that the connector was made from. */
export function replaceDataSourceFile(
  id: number,
  file: File,
  version: number,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<DataSource> {
  const body = new FormData();
  body.append('version', String(version));
  body.append('file', file, file.name);
  return call('PUT', path`memory/datasources/${id}/file`, { body, idempotencyKey, quiet: true, signal });
}

/** The file that a connector was made from, as it was uploaded. */
export function getDataSourceFile(id: number): Promise<Response> {
  return send('GET', path`memory/datasources/${id}/file`, { quiet: true });
}

export function listDataSourceTypes(): Promise<Page<DataSourceType>> {
  return call('GET', path`memory/datasources/type`, { query: { page_size: 1000 } });
}

/** Asks what an uploaded file contains, before a data source is made from it. */
export function getFileInfo(file: File, signal?: AbortSignal): Promise<FileInfo> {
  const body = new FormData();
  body.append('delimiter', 'auto');
  body.append('file', file, file.name);
  return call('POST', path`memory/file/info`, { body, quiet: true, ...(signal && { signal }) });
}

export interface NewDataSource {
  file: File;
  name: string;
  description: string;
  scope: DataSourceScope;
  type: string;
  delimiter: string;
  conversationId?: string;
}

export function createDataSource(
  source: NewDataSource,
  idempotencyKey: string,
  signal: AbortSignal,
): Promise<DataSource> {
  const body = new FormData();
  // The fields come before the file, so that the server can refuse the request before it reads a large file.
  body.append('name', source.name);
  body.append('description', source.description);
  body.append('scope', source.scope);
  body.append('type', source.type);
  body.append('delimiter', source.delimiter);
  if (source.conversationId !== undefined) body.append('conversation_id', source.conversationId);
  body.append('file', source.file, source.file.name);
  return call('POST', path`memory/file/datasources`, { body, idempotencyKey, quiet: true, signal });
}
