import { screen } from '@testing-library/react';
import { matchRoutes, Outlet } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { patterns, type PageName } from '@/lib/paths';
import { personOf, signInAs } from '@/testing/person';
import { renderAt } from '@/testing/render';
import { Allowed } from './allowed';
import { hasPage, pageRoutes } from './pages';

const names = Object.keys(patterns) as PageName[];

describe('pageRoutes', () => {
  const routes = pageRoutes();

  it.each(names.filter(hasPage))('leads from the pattern of %s to its page', (name) => {
    const address = patterns[name].replaceAll(/\/[\w-]+\?/gu, '').replaceAll(/:\w+\??/gu, '1');
    expect(matchRoutes(routes, address)?.some(({ route }) => route.path === patterns[name])).toBe(true);
  });

  it('knows every page that it leads to', () => {
    expect(hasPage('conversations')).toBe(true);
    expect(hasPage('conversation')).toBe(true);
    expect(hasPage('dataSource')).toBe(true);
  });

  it('leads everything else to Not found', () => {
    expect(matchRoutes(routes, '/nowhere')?.at(-1)?.route.path).toBe('*');
  });
});

describe('Allowed', () => {
  const log = vi.spyOn(console, 'error');
  beforeEach(() => log.mockClear());

  it('shows the page to who may open it', async () => {
    await signInAs(personOf({ isSuperuser: true }));
    renderAt('/agents', { '/agents': <Allowed page="agents" />, '*': <Outlet /> });
    expect(screen.queryByRole('heading', { name: 'Not found' })).toBeNull();
  });

  it('is Not found for anybody else, and the console stays quiet', async () => {
    await signInAs(personOf());
    const { user, where } = renderAt('/agents', { '/agents': <Allowed page="agents" />, '/home': 'home' });
    expect(screen.getByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
    expect(document.title).toBe('Not found · Parley');
    expect(log).not.toHaveBeenCalled();
    await user.click(screen.getByRole('link', { name: 'Go to home' }));
    expect(where()).toBe('/home');
  });
});
