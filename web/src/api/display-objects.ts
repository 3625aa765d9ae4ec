import type { DataSource } from '@/lib/wire';
import { call, send } from './client';
import { path } from './path';

/** The number of bytes that a preview of a table asks for first. */
export const previewBytes = 201;

/** A display object's content, whole or, with `range`, its first bytes. */
export async function getContent(id: string, range?: number): Promise<Response> {
  return send('GET', path`discourse/displayobjects/${id}/content`, {
    quiet: true,
    ...(range !== undefined && { headers: { Range: `bytes=0-${range - 1}` } }),
  });
}

/** A table in another format than its own. */
export function getExport(id: string, format: ExportFormat): Promise<Response> {
  return send('GET', path`discourse/displayobjects/${id}/content`, { query: { format }, quiet: true });
}

/** The formats that a table is offered in, in addition to its own. */
export type ExportFormat = 'csv' | 'xlsx' | 'json';

/** The name of a connector that is made from a table. */
export interface TableConnector {
  name: string;
  description: string;
}

/** Makes a connector from a table of a conversation; it is private until its owner shares it. */
export function createFromTable(
  id: string,
  { name, description }: TableConnector,
  idempotencyKey: string,
): Promise<DataSource> {
  const body = new FormData();
  body.append('display_object_id', id);
  body.append('name', name);
  body.append('description', description);
  body.append('scope', 'user');
  body.append('type', 'csv');
  body.append('delimiter', 'auto');
  return call('POST', path`memory/file/datasources`, { body, idempotencyKey, quiet: true });
}

/** A link that needs no bearer and is valid for five minutes. */
export function getPresignedUrl(id: string): Promise<{ url: string; expiresAt: string }> {
  return call('GET', path`discourse/displayobjects/${id}/presigned-url`, { quiet: true });
}
