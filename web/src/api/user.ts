import { apiUrl, call, sendLast } from './client';
import { path } from './path';
import type { Grantee, Page, User } from '@/lib/wire';

export function getMe(): Promise<User> {
  return call('GET', path`user/me`, { quiet: true });
}

export function keepAlive(): Promise<unknown> {
  return call('POST', path`user/me/keep-alive`, { quiet: true });
}

/** Ends the sign-in on the server, with the streams of all its tabs. */
export function logOut(): void {
  sendLast('POST', path`user/me/logout`);
}

export function listShareableEntities(search = ''): Promise<Page<Grantee>> {
  return call('GET', path`user/shareable-entities`, {
    query: { page_size: 100, search: search === '' ? undefined : search },
    quiet: true,
  });
}

/** Where this person's socket is opened. */
export function streamUrl(userUuid: string): string {
  const url = new URL(apiUrl(path`user/${userUuid}/stream`), window.location.href);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}
