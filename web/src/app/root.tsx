import { useCallback, useEffect, useMemo } from 'react';
import { AuthProvider } from 'react-oidc-context';
import { RouterProvider } from 'react-router';
import { useSnapshot } from 'valtio';
import { ErrorView } from '@/components/page/error-view';
import { FullSpinner } from '@/components/page/full-page';
import { common } from '@/messages/common';
import { problem as t } from '@/messages/problem';
import { configState, loadConfig } from '@/stores/config-store';
import { watchErrors } from '@/stores/errors-store';
import { Appearance } from './appearance';
import { createUserManager } from './oidc';
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
  const manager = useMemo(() => (config ? createUserManager(config) : null), [config]);
  const navigate = useCallback((path: string) => router.navigate(path, { replace: true }), [router]);
  if (failed) {
    return (
      <ErrorView
        title={t('unreachable')}
        text={t('unreachable.text')}
        action={{ label: common('retry'), onClick: () => void loadConfig() }}
      />
    );
  }
  if (!manager) return <FullSpinner label={common('loading')} />;
  return (
    <AuthProvider userManager={manager}>
      <SessionKeeper manager={manager} navigate={navigate} />
      {/* As a transition, a page would wait until no answer streams: what is typed meanwhile would go to
          the conversation that has been left. */}
      <RouterProvider router={router} useTransitions={false} />
    </AuthProvider>
  );
}
