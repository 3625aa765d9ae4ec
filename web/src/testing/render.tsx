import { Theme } from '@radix-ui/themes';
import { render, type RenderResult } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router';
import './on-demand';

interface Rendered extends RenderResult {
  user: UserEvent;
  /** The current address of the router: path and query. */
  where: () => string;
}

/** Renders a page or a part of one as the app does: in the theme, and at an address. */
export function renderAt(
  path: string,
  routes: Record<string, ReactNode>,
  /** Pages whose answers the test releases. */
  late: Record<string, () => Promise<{ Component: () => ReactNode }>> = {},
): Rendered {
  const router = createMemoryRouter(
    [
      ...Object.entries(routes).map(([pattern, element]) => ({ path: pattern, element })),
      ...Object.entries(late).map(([pattern, lazy]) => ({ path: pattern, lazy })),
    ],
    { initialEntries: [path] },
  );
  const result = render(
    <Theme>
      <RouterProvider router={router} />
    </Theme>,
  );
  return {
    ...result,
    user: userEvent.setup(),
    where: () => router.state.location.pathname + router.state.location.search,
  };
}

/** Renders a component that needs no address. */
export function renderPart(element: ReactNode): Rendered {
  return renderAt('/', { '/': element });
}
