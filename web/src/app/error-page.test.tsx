import { Theme } from '@radix-ui/themes';
import { render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { reportError } from '@/lib/collector/report';
import { ErrorPage } from './error-page';

vi.mock('@/lib/collector/report', () => ({ reportError: vi.fn() }));

function Broken(): never {
  throw new Error('The page broke.');
}

function Missing(): never {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router shows a thrown response by its status
  throw new Response('Not found', { status: 404 });
}

function Unauthorized(): never {
  // eslint-disable-next-line @typescript-eslint/only-throw-error -- the router shows a thrown response by its status
  throw new Response('Unauthorized', { status: 401 });
}

function show(page: ReactElement): void {
  const router = createMemoryRouter([{ path: '/', element: page, errorElement: <ErrorPage /> }]);
  render(
    <Theme>
      <RouterProvider router={router} />
    </Theme>,
  );
}

describe('ErrorPage', () => {
  // React and the router write what was thrown to the console; this test throws on purpose.
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => {
    vi.restoreAllMocks();
    vi.mocked(reportError).mockClear();
  });

  it('says Not found for what a page throws away, and where one can go', async () => {
    show(<Missing />);
    expect(await screen.findByRole('heading', { level: 1, name: 'Not found' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to home' })).toHaveAttribute('href', '/home');
  });

  it('says Error and offers Login to who is not authorized', async () => {
    show(<Unauthorized />);
    expect(await screen.findByRole('heading', { name: 'Error' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
  });

  it('tells the collector of what a page has thrown, once, and not of what is no fault', async () => {
    show(<Missing />);
    await screen.findByRole('heading', { level: 1, name: 'Not found' });
    expect(reportError).not.toHaveBeenCalled();
    show(<Broken />);
    await screen.findByRole('heading', { name: 'An unexpected error occurred.' });
    expect(reportError).toHaveBeenCalledExactlyOnceWith(new Error('The page broke.'));
  });

  it('says that an unexpected error occurred, with the details for support', async () => {
    show(<Broken />);
    expect(await screen.findByRole('heading', { name: 'An unexpected error occurred.' })).toBeVisible();
    expect(screen.getByText(/The page broke\./u)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Copy' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Reload App' })).toBeVisible();
  });

  it.each([
    ['Chromium', 'Failed to fetch dynamically imported module: http://localhost/assets/blueprints.js'],
    ['Firefox', 'error loading dynamically imported module: http://localhost/assets/blueprints.js'],
    ['Safari', 'Importing a module script failed.'],
    ['the style sheet', 'Unable to preload CSS for /assets/blueprints.css'],
  ])('says that the server is away when a page does not come (%s), and tries again', async (_, message) => {
    const reload = vi.fn();
    vi.spyOn(window, 'location', 'get').mockReturnValue({ reload } as unknown as Location);
    const router = createMemoryRouter([
      { path: '/', lazy: () => Promise.reject(new TypeError(message)), errorElement: <ErrorPage /> },
    ]);
    render(
      <Theme>
        <RouterProvider router={router} />
      </Theme>,
    );
    expect(await screen.findByRole('heading', { name: 'The server cannot be reached.' })).toBeVisible();
    expect(screen.queryByText('An unexpected error occurred.')).toBeNull();
    expect(reportError).not.toHaveBeenCalled();
    screen.getByRole('button', { name: 'Try again' }).click();
    expect(reload).toHaveBeenCalledOnce();
  });
});
