import { Theme } from '@radix-ui/themes';
import { render, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ErrorPage } from './error-page';
import { Component as NotFound } from './not-found';

function Broken(): never {
  throw new Error('The page broke.');
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
  // React and the router write what was thrown to the console; here that is what is tried.
  beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined));
  afterEach(() => vi.restoreAllMocks());

  it('NotFound, for an address that a page throws away', async () => {
    show(<NotFound />);
    expect(await screen.findByRole('heading', { name: 'Not found' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Go to home' })).toBeVisible();
  });

  it('Login, for who is not authorized', async () => {
    show(<Unauthorized />);
    expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
  });

  it('Unexpected, with the details for support', async () => {
    show(<Broken />);
    expect(await screen.findByRole('heading', { name: 'An unexpected error occurred.' })).toBeVisible();
    expect(screen.getByText(/The page broke\./u)).toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Reload App' })).toBeVisible();
  });
});
