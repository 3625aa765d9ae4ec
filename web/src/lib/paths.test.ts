import { describe, expect, it } from 'vitest';
import { loginPath, paths, safeReturnPath } from './paths';

describe('safeReturnPath (A14)', () => {
  it.each(['/conversations/1?message_id=message-2#x', '/', '/home'])('Keeps %s', (path) => {
    expect(safeReturnPath(path)).toBe(path);
  });

  it.each([
    null,
    '',
    'conversations',
    'https://evil.example/',
    '//evil.example/',
    '/\\evil.example/',
    '/\\/evil.example/',
    '\\\\evil.example',
    '/\t/evil.example/',
    '///evil.example/',
    'javascript:alert(1)',
    '/login',
    '/login?code=E401',
    '/authorizing?returnTo=/login',
    '/unauthorized',
  ])('Answers / for %s', (path) => {
    expect(safeReturnPath(path)).toBe('/');
  });
});

describe('paths', () => {
  it('WritesTheReasonOfASignIn', () => {
    expect(loginPath('S429')).toBe('/login?code=S429');
    expect(loginPath()).toBe('/login');
  });

  it('EscapesWhatStandsInAPath', () => {
    expect(paths.conversation('a/b')).toBe('/conversations/a%2Fb');
  });

  it('NamesTheConnectorsOfANewConversation', () => {
    expect(paths.newConversation({ dataSources: [1] })).toBe('/conversations/new?dataSources%5B%5D=1');
    expect(paths.newConversation()).toBe('/conversations/new');
  });
});
