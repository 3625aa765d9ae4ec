import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { preloadMenus } from '@/components/menu/menu';
import { preferencesState, setAppearance } from '@/stores/preferences-store';
import { personOf, signInAs } from '@/testing/person';
import { renderAt } from '@/testing/render';
import { hasPage } from './pages';
import { Sidebar } from './sidebar';

const all = { scheduledTaskView: true, uploadCredentials: true };

// Every page exists, so that what is shown depends on the person only.
vi.mock('./pages', () => ({ hasPage: vi.fn(() => true) }));

function show(path = '/home', collapsed = false) {
  const onLogOut = vi.fn();
  const sidebar = <Sidebar collapsed={collapsed} onToggle={() => undefined} onLogOut={onLogOut} />;
  return { onLogOut, ...renderAt(path, { '*': sidebar }) };
}

function entries(): string[] {
  const [areas, own] = screen.getAllByRole('list');
  return [...within(areas!).getAllByRole('listitem'), ...within(own!).getAllByRole('listitem')].map(
    (item) => item.textContent,
  );
}

beforeEach(() => vi.mocked(hasPage).mockReturnValue(true));

describe('Sidebar', () => {
  it('shows every area to a superuser with both flags, in order', async () => {
    await signInAs(personOf({ isSuperuser: true, flags: all }));
    show();
    expect(entries()).toEqual([
      'Home',
      'Conversations',
      'Configure Data',
      'Connectors',
      'Blueprints',
      'Team admin',
      'User settings',
      'Memories',
      'Schedule Work',
      'Projects',
      'Agents',
      'Account',
      'Log out',
    ]);
    expect(screen.getByRole('button', { name: 'Team admin' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'User settings' })).toBeDisabled();
  });

  it('leaves out what a person has no right or flag for', async () => {
    await signInAs(personOf());
    show();
    for (const name of ['Configure Data', 'Schedule Work', 'Agents']) {
      expect(screen.queryByRole('link', { name })).toBeNull();
    }
    expect(screen.getByRole('link', { name: 'Memories' })).toHaveAttribute('href', '/memories');
  });

  it('shows Configure Data with uploadCredentials, and Schedule Work with scheduledTaskView', async () => {
    await signInAs(personOf({ flags: { ...all, scheduledTaskView: false } }));
    const { unmount } = show();
    expect(screen.getByRole('link', { name: 'Configure Data' })).toHaveAttribute('href', '/data-config');
    expect(screen.queryByRole('link', { name: 'Schedule Work' })).toBeNull();
    unmount();
    await signInAs(personOf({ flags: { ...all, uploadCredentials: false } }));
    show();
    expect(screen.getByRole('link', { name: 'Schedule Work' })).toHaveAttribute('href', '/tasks');
    expect(screen.queryByRole('link', { name: 'Configure Data' })).toBeNull();
  });

  it('does not link to a page that there is not yet', async () => {
    vi.mocked(hasPage).mockImplementation((page) => page !== 'projects');
    await signInAs(personOf());
    show();
    expect(screen.queryByRole('link', { name: 'Projects' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Blueprints' })).toBeVisible();
  });

  it.each([
    ['/', 'Home'],
    ['/home', 'Home'],
    ['/datasource/4/edit', 'Connectors'],
    ['/blueprint/library', 'Blueprints'],
    ['/conversations/c1', 'Conversations'],
  ])('marks at %s where one is', async (path, name) => {
    await signInAs(personOf());
    show(path);
    expect(screen.getAllByRole('link', { current: 'page' }).map((link) => link.textContent)).toEqual([name]);
  });

  it('keeps its names when it is collapsed', async () => {
    await signInAs(personOf());
    show('/home', true);
    expect(screen.getByRole('link', { name: 'Connectors' })).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Expand sidebar' })).toBeVisible();
  });

  it('logs out', async () => {
    await signInAs(personOf());
    const { user, onLogOut } = show();
    await user.click(screen.getByRole('button', { name: 'Log out' }));
    expect(onLogOut).toHaveBeenCalledOnce();
  });

  it('has the appearance and the language in the menu of the account', async () => {
    await signInAs(personOf());
    setAppearance('system');
    const { user } = show();
    await preloadMenus();
    const button = () => screen.getByRole('button', { name: 'Ada Lindqvist: appearance and more' });
    button().focus();
    await user.keyboard('{Enter}{ArrowRight}');
    expect(await screen.findByRole('menuitemradio', { name: 'As the system' })).toBeChecked();
    await user.keyboard('{End}{Enter}');
    expect(preferencesState.appearance).toBe('dark');
    button().focus();
    await user.keyboard('{Enter}{ArrowDown}{ArrowRight}');
    expect(await screen.findByRole('menuitemradio', { name: 'As the browser' })).toBeChecked();
    expect(screen.getByRole('menuitemradio', { name: 'Deutsch' })).toBeVisible();
  });
});
