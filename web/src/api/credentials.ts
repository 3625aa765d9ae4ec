import { call } from './client';
import { path } from './path';
import type { Credential } from '@/lib/wire';

/** Uploads a secret file under a name. No call returns its content. */
export function createCredential(name: string, file: File, idempotencyKey: string): Promise<Credential> {
  const body = new FormData();
  // The server reads fields in their order, and the name belongs to the file that follows.
  body.append('name', name);
  body.append('file', file);
  return call('POST', path`memory/secrets`, { body, idempotencyKey, quiet: true });
}
