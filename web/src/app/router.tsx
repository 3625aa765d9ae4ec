import { createBrowserRouter } from 'react-router';
import { FullSpinner } from '@/components/page/full-page';
import { patterns } from '@/lib/paths';
import { common } from '@/messages/common';
import { ErrorPage } from './error-page';
import { pageRoutes } from './pages';

/** All addresses. Each page is a separate module, which is loaded when it is first opened. */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter([
    {
      errorElement: <ErrorPage />,
      hydrateFallbackElement: <FullSpinner label={common('loading')} />,
      children: [
        { path: patterns.login, lazy: () => import('@/features/auth/login-page') },
        { path: patterns.authorizing, lazy: () => import('@/features/auth/authorizing-page') },
        { path: patterns.unauthorized, lazy: () => import('@/features/auth/unauthorized-page') },
        // What only signed-in users need is loaded after the sign-in, so that the sign-in page is small.
        {
          lazy: () => import('./inside'),
          children: [{ errorElement: <ErrorPage />, children: pageRoutes() }],
        },
      ],
    },
  ]);
}
