import { useCallback, useEffect, useMemo } from 'react';
import { RouterProvider } from 'react-router';
import { useSnapshot } from 'valtio';
import { ErrorView } from '@/components/page/error-view';
import { FullSpinner } from '@/components/page/full-page';
import { common } from '@/messages/common';
import { problem as t } from '@/messages/problem';
import { configState, loadConfig } from '@/stores/config-store';
import { watchErrors } from '@/stores/errors-store';
import { openIdentity } from '@/stores/identity-store';
import { Appearance } from './appearance';
import { createRouter } from './router';
import { SessionKeeper } from './session-keeper';

/** The program: configuration first, then sign-in, then the pages. */
export function Root() {
  useEffect(() => {
    void loadConfig();
    return watchErrors();
  }, []);
  return (
    <Appearance>
      <Configured />
    </Appearance>
  );
}

function Configured() {
  const { config, failed } = useSnapshot(configState);
  const router = useMemo(() => createRouter(), []);
  const navigate = useCallback((path: string) => router.navigate(path, { replace: true }), [router]);
  const provider = config?.oidc;
  useEffect(() => {
    if (provider) void openIdentity(provider);
  }, [provider]);
  const dsn = config?.collector;
  const release = config?.version ?? '';
  useEffect(() => {
    if (dsn === undefined) return;
    // Without it, which a blocker may hold back, the page is as good as with it.
    void import('@/lib/collector/open').then(
      ({ openCollector }) => openCollector({ dsn, release }),
      () => undefined,
    );
  }, [dsn, release]);
  if (failed) {
    return (
      <ErrorView
        title={t('unreachable')}
        text={t('unreachable.text')}
        action={{ label: common('retry'), onClick: () => void loadConfig() }}
      />
    );
  }
  if (!provider) return <FullSpinner label={common('loading')} />;
  return (
    <>
      <SessionKeeper navigate={navigate} />
      {/* As a transition, a page would wait until no answer streams: what is typed meanwhile would go to
          the conversation that has been left. */}
      <RouterProvider router={router} useTransitions={false} />
    </>
  );
}
