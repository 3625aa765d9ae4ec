import { createBrowserRouter, Navigate } from 'react-router';
import { FullSpinner } from '@/components/page/full-page';
import { paths } from '@/lib/paths';
import { ErrorPage } from './error-page';
import { Guard } from './guard';
import { Shell } from './shell';

/** All addresses. Each page is a module of its own that loads when it is first opened. */
export function createRouter(): ReturnType<typeof createBrowserRouter> {
  return createBrowserRouter([
    {
      errorElement: <ErrorPage />,
      hydrateFallbackElement: <FullSpinner label="Loading" />,
      children: [
        { path: paths.login, lazy: () => import('@/features/auth/login-page') },
        { path: paths.authorizing, lazy: () => import('@/features/auth/authorizing-page') },
        { path: paths.unauthorized, lazy: () => import('@/features/auth/unauthorized-page') },
        {
          element: <Guard />,
          children: [
            {
              element: <Shell />,
              children: [
                {
                  errorElement: <ErrorPage />,
                  children: [
                    { index: true, lazy: () => import('@/features/home/home-page') },
                    { path: 'home', lazy: () => import('@/features/home/home-page') },
                    {
                      path: 'conversations',
                      lazy: () => import('@/features/conversations/conversations-layout'),
                      children: [
                        { index: true, lazy: () => import('@/features/conversations/conversations-index') },
                        { path: 'new', lazy: () => import('@/features/conversations/new-conversation-page') },
                        {
                          path: ':conversationId',
                          lazy: () => import('@/features/conversations/conversation-page'),
                        },
                      ],
                    },
                    { path: 'blueprints', lazy: () => import('@/features/blueprints/blueprints-page') },
                    { path: 'blueprint/library', lazy: () => import('@/features/blueprints/library-page') },
                    { path: 'blueprint', element: <Navigate to={paths.blueprints} replace /> },
                    { path: 'datasources', lazy: () => import('@/features/datasources/datasources-page') },
                    {
                      path: 'datasources/:dataSourceId',
                      lazy: () => import('@/features/datasources/datasource-page'),
                    },
                    {
                      path: 'datasource/:dataSourceId',
                      lazy: () => import('@/features/datasources/datasource-page'),
                    },
                    {
                      path: 'datasources/:dataSourceId/edit',
                      lazy: () => import('@/features/datasources/datasource-page'),
                    },
                    {
                      path: 'datasource/:dataSourceId/edit',
                      lazy: () => import('@/features/datasources/datasource-page'),
                    },
                    { path: 'datasource', element: <Navigate to={paths.dataSources} replace /> },
                    { path: 'api-reference', lazy: () => import('@/features/reference/reference-page') },
                    { path: 'components', lazy: () => import('@/features/showcase/showcase-page') },
                    { path: '*', lazy: () => import('./not-found') },
                  ],
                },
              ],
            },
          ],
        },
      ],
    },
  ]);
}
