import { afterEach, describe, expect, it } from 'vitest';
import { signInFirst } from './sign-in-first';

describe('signInFirst', () => {
  const at = (path: string) => window.history.replaceState(null, '', path);
  const here = () => window.location.pathname + window.location.search;
  afterEach(() => at('/'));

  it('goes to the sign-in, and comes back to the address', () => {
    at('/conversations/1?message_id=2#a');
    signInFirst();
    expect(here()).toBe('/authorizing?returnTo=%2Fconversations%2F1%3Fmessage_id%3D2%23a');
  });

  it('leaves the pages of the sign-in alone', () => {
    at('/login?code=E401');
    signInFirst();
    expect(here()).toBe('/login?code=E401');
  });

  it('stays when a sign-in is held', () => {
    localStorage.setItem('oidc.user:http://issuer:web', '{}');
    at('/datasources');
    signInFirst();
    expect(here()).toBe('/datasources');
  });
});
