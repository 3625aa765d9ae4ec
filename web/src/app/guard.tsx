import { useEffect } from 'react';
import { useAuth } from 'react-oidc-context';
import { Navigate, Outlet, useLocation } from 'react-router';
import { useSnapshot } from 'valtio';
import { ErrorView, FullSpinner } from '@/components/page/full-page';
import { paths } from '@/lib/paths';
import { writeQuery } from '@/lib/query';
import { baseDataState, loadBaseData } from '@/stores/base-data';
import { openDrafts } from '@/stores/drafts-store';
import { loadMe, meState } from '@/stores/me-store';
import { startStream, stopStream } from '@/stores/stream-bindings';
import { useKeepAlive, useIdleLimit } from './presence';

/** What a guarded page waits for, in the order in which it is asked. */
export type Passage = 'wait' | 'authorize' | 'unauthorized' | 'no-answer' | 'load' | 'no-base-data' | 'pass';

interface PassageInput {
  authLoading: boolean;
  authenticated: boolean;
  /** The session has ended, and the way out is being taken. */
  ended: boolean;
  me: 'signed-out' | 'loading' | 'ready' | 'unknown-user' | 'failed';
  baseData: string;
}

/** Decides whether a guarded page may be shown. */
export function passage({ authLoading, authenticated, ended, me, baseData }: PassageInput): Passage {
  if (authLoading || ended) return 'wait';
  if (!authenticated) return 'authorize';
  switch (me) {
    case 'unknown-user':
      return 'unauthorized';
    case 'failed':
      return 'no-answer';
    case 'signed-out':
    case 'loading':
      return 'wait';
    case 'ready':
      break;
  }
  if (baseData === 'fetched') return 'pass';
  return baseData === 'failed' ? 'no-base-data' : 'load';
}

/** Lets through who is signed in, known, and has the base data. */
export function Guard() {
  const auth = useAuth();
  const location = useLocation();
  const { phase: me, ended, user } = useSnapshot(meState);
  const { status: baseData } = useSnapshot(baseDataState);
  const way = passage({
    authLoading: auth.isLoading || auth.activeNavigator !== undefined,
    authenticated: auth.isAuthenticated,
    ended: ended !== null,
    me,
    baseData,
  });

  const uuid = me === 'ready' ? user?.uuid : undefined;
  useEffect(() => {
    if (uuid === undefined) return;
    openDrafts(uuid);
    void loadBaseData();
  }, [uuid]);

  switch (way) {
    case 'wait':
    case 'load':
      return <FullSpinner label="Loading" />;
    case 'authorize': {
      const returnTo = location.pathname + location.search + location.hash;
      return <Navigate to={`${paths.authorizing}${writeQuery({ returnTo })}`} replace />;
    }
    case 'unauthorized':
      return <Navigate to={paths.unauthorized} replace />;
    case 'no-answer':
      return (
        <ErrorView
          message="The server cannot be reached."
          action={{ label: 'Try again', onClick: () => void loadMe() }}
        />
      );
    case 'no-base-data':
      return (
        <ErrorView
          message="Error loading assets"
          action={{ label: 'Try again', onClick: () => void loadBaseData() }}
        />
      );
    case 'pass':
      return <Inside />;
  }
}

/** What runs while somebody is inside: the stream, the keep-alive, the idle clock. */
function Inside() {
  const { user } = useSnapshot(meState);
  const uuid = user?.uuid;
  useEffect(() => {
    if (uuid === undefined) return;
    startStream(uuid);
    return stopStream;
  }, [uuid]);
  useKeepAlive();
  useIdleLimit();
  return <Outlet />;
}
