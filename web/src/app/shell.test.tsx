import { screen } from '@testing-library/react';
import { Link } from 'react-router';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { personOf, signInAs } from '@/testing/person';
import { renderAt } from '@/testing/render';
import { windowWidth } from '@/testing/window-width';
import { Shell } from './shell';

const pages = vi.hoisted(() => ({ home: (): unknown => null, other: (): unknown => null }));

vi.mock('react-router', async (original) => {
  const router = await original<object & { useLocation: () => { pathname: string } }>();
  return {
    ...router,
    // The page of an address, without the routes of the app.
    Outlet: () => (router.useLocation().pathname === '/home' ? pages.home() : pages.other()),
  };
});

beforeEach(async () => {
  await signInAs(personOf());
  pages.home = () => (
    <>
      <h1>Home</h1>
      <Link to="/blueprints">Go on</Link>
    </>
  );
  pages.other = () => <h1>Other</h1>;
});

describe('Shell', () => {
  it.each([
    ['/', 'Collapse sidebar'],
    ['/home', 'Collapse sidebar'],
    ['/blueprints', 'Expand sidebar'],
  ])('has its sidebar at %s so that one can %s', (path, name) => {
    renderAt(path, { '*': <Shell /> });
    expect(screen.getByRole('button', { name })).toBeVisible();
  });

  it('keeps the sidebar as the person wants it', async () => {
    const { user } = renderAt('/home', { '*': <Shell /> });
    await user.click(screen.getByRole('button', { name: 'Collapse sidebar' }));
    await user.click(screen.getByRole('link', { name: 'Home' }));
    expect(screen.getByRole('button', { name: 'Expand sidebar' })).toBeVisible();
  });

  it('moves the focus to the heading of the page that was gone to', async () => {
    const { user } = renderAt('/home', { '*': <Shell /> });
    await user.click(screen.getByRole('link', { name: 'Blueprints' }));
    expect(screen.getByRole('heading', { name: 'Other' })).toHaveFocus();
  });

  it('leaves the focus to a page that takes it itself', async () => {
    pages.other = () => (
      <>
        <h1>Other</h1>
        <input aria-label="Message" ref={(box) => box?.focus()} />
      </>
    );
    const { user } = renderAt('/home', { '*': <Shell /> });
    await user.click(screen.getByRole('link', { name: 'Blueprints' }));
    expect(screen.getByRole('textbox', { name: 'Message' })).toHaveFocus();
  });

  it('skips to the content', async () => {
    const { user } = renderAt('/home', { '*': <Shell /> });
    await user.tab();
    expect(screen.getByRole('link', { name: 'Skip to content' })).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('main')).toHaveFocus();
  });

  it('has a bar with a menu on a phone, but not above a conversation', () => {
    windowWidth(390);
    const { unmount } = renderAt('/home', { '*': <Shell /> });
    expect(screen.getByRole('button', { name: 'Open menu' })).toBeVisible();
    unmount();
    renderAt('/conversations/c1', { '*': <Shell /> });
    expect(screen.queryByRole('button', { name: 'Open menu' })).toBeNull();
  });
});
