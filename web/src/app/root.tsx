import { useEffect, useMemo } from 'react';
import { AuthProvider } from 'react-oidc-context';
import { RouterProvider } from 'react-router';
import { useSnapshot } from 'valtio';
import { ErrorView, FullSpinner } from '@/components/page/full-page';
import { configState, loadConfig } from '@/stores/config-store';
import { watchErrors } from '@/stores/errors-store';
import { Appearance } from './appearance';
import { oidcSettings } from './oidc';
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
  const settings = useMemo(() => (config ? oidcSettings(config) : null), [config]);
  if (failed) {
    return (
      <ErrorView
        message="The server cannot be reached."
        action={{ label: 'Try again', onClick: () => void loadConfig() }}
      />
    );
  }
  if (!settings) return <FullSpinner label="Loading" />;
  return (
    <AuthProvider {...settings}>
      <SessionKeeper navigate={(path) => void router.navigate(path, { replace: true })} />
      <RouterProvider router={router} />
    </AuthProvider>
  );
}
