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
    // A blocker may prevent it from loading; the page works without it.
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
      {/* As a transition, the change of page would wait until no answer is streaming: text typed meanwhile would
          be entered in the conversation that was left. */}
      <RouterProvider router={router} useTransitions={false} />
    </>
  );
}
