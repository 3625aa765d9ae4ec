import { expect, it } from 'vitest';
import { path } from './path';

it('keeps an id as it is', () => {
  expect(path`discourse/blueprints/${7}/archive`).toBe('discourse/blueprints/7/archive');
  expect(path`user/me`).toBe('user/me');
});

it.each(['../../user/me', '..', '.', '', 'a/b', 'a?b=c', 'a#b', '%2e%2e', '\ud800', '..\\x', '\u0000'])(
  'leads nowhere else with %j',
  (id) => {
    const url = new URL(`/api/v1/${path`discourse/conversations/${id}/read`}`, 'http://localhost');
    expect(url.pathname.split('/')).toHaveLength(7);
    expect(url.pathname).toMatch(/^\/api\/v1\/discourse\/conversations\/[^/]+\/read$/);
    expect(url.search + url.hash).toBe('');
  },
);
