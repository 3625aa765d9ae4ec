import { matchRoutes } from 'react-router';
import { describe, expect, it } from 'vitest';
import { loginPath, paths, patterns, safeReturnPath, type PageName } from './paths';

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

  it.each<[string, string, PageName]>([
    [paths.blueprint(4), '/blueprints/4', 'blueprint'],
    [paths.blueprintEdit(4), '/blueprints/4/edit', 'blueprintEdit'],
    [paths.dataSource(2), '/datasource/2', 'dataSource'],
    [paths.dataSourceEdit(2), '/datasource/2/edit', 'dataSourceEdit'],
    [paths.feedback('c1', '9'), '/memories/feedbacks/c1?message_id=message-9', 'feedback'],
    [paths.feedback('c1'), '/memories/feedbacks/c1', 'feedback'],
    [paths.project(3), '/projects/3', 'project'],
    [paths.projectEdit(3), '/projects/3/edit', 'projectEdit'],
    [paths.agent(5), '/agents/5', 'agent'],
    [paths.agent(5, 'c1'), '/agents/5/conversation/c1', 'agent'],
    [paths.agentEdit(5), '/agents/5/edit', 'agentEdit'],
    [paths.agentEdit(5, 'c1'), '/agents/5/edit/conversation/c1', 'agentEdit'],
    [paths.task('t6'), '/tasks/t6', 'task'],
    [paths.taskEdit('t6'), '/tasks/t6/edit', 'taskEdit'],
    [paths.homeTab('blueprint'), '/home?activeTab=blueprint', 'home'],
    [paths.newConversation({ agent: 2 }), '/conversations/new?agent=2', 'newConversation'],
  ])('writes %s, which the router reads as that page', (written, address, page) => {
    expect(written).toBe(address);
    expect(matchRoutes([{ path: patterns[page] }], address)).not.toBeNull();
  });
});
