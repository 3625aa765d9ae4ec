import { call, send } from './client';

/** The bytes that a preview of a table asks for first. */
export const previewBytes = 201;

/** A display object's content, whole or, with `range`, its first bytes. */
export async function getContent(id: string, range?: number): Promise<Response> {
  return send('GET', `discourse/displayobjects/${id}/content`, {
    quiet: true,
    ...(range !== undefined && { headers: { Range: `bytes=0-${range - 1}` } }),
  });
}

/** A link that needs no bearer and lives five minutes. */
export function getPresignedUrl(id: string): Promise<{ url: string; expiresAt: string }> {
  return call('GET', `discourse/displayobjects/${id}/presigned-url`, { quiet: true });
}
