import { useEffect, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router';
import { useSnapshot } from 'valtio';
import { ErrorView } from '@/components/page/error-view';
import { FullSpinner } from '@/components/page/full-page';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import { authorizingPath, paths } from '@/lib/paths';
import type { SignIn } from '@/lib/sign-in';
import { common } from '@/messages/common';
import { problem as t } from '@/messages/problem';
import { shell } from '@/messages/shell';
import { baseDataState, loadBaseData } from '@/stores/base-data';
import { openDrafts } from '@/stores/drafts-store';
import { loadMe, meState } from '@/stores/me-store';
import { startStream, stopStream } from '@/stores/stream-bindings';
import { useIdleLimit, useKeepAlive, useWakeUp } from './presence';

/** What a guarded page waits for, in the order in which it is asked. */
export type Passage = 'wait' | 'authorize' | 'unauthorized' | 'no-answer' | 'load' | 'no-base-data' | 'pass';

/** Decides whether a guarded page may be shown. */
export function passage(signIn: DeepReadonly<SignIn>, baseData: LoadStatus): Passage {
  switch (signIn.phase) {
    case 'signed-out':
      return 'authorize';
    case 'ended':
      // The sign-out is under way.
      return 'wait';
    case 'renewing':
      // The page stays: calls and the stream wait for the newer bearer by themselves.
      return passage(signIn.before, baseData);
    case 'loading':
      if (signIn.trouble === null) return 'wait';
      return signIn.trouble === 'unknown-user' ? 'unauthorized' : 'no-answer';
    case 'live':
      if (baseData === 'fetched') return 'pass';
      return baseData === 'failed' ? 'no-base-data' : 'load';
  }
}

interface GuardProps {
  children: ReactNode;
}

/** Lets through a user who is signed in, known, and has the base data. */
export function Guard({ children }: GuardProps) {
  const location = useLocation();
  const { signIn, user } = useSnapshot(meState);
  const { status: baseData } = useSnapshot(baseDataState);
  const way = passage(signIn, baseData);

  const uuid = user?.uuid;
  useEffect(() => {
    if (uuid === undefined) return undefined;
    openDrafts(uuid);
    void loadBaseData();
    // The lists are requested after the user: every change that they do not contain is in the log after this
    // position.
    startStream(uuid, meState.user?.logHead ?? 0);
    return stopStream;
  }, [uuid]);

  switch (way) {
    case 'wait':
    case 'load':
      return <FullSpinner label={common('loading')} />;
    case 'authorize': {
      const returnTo = location.pathname + location.search + location.hash;
      return <Navigate to={authorizingPath(returnTo)} replace />;
    }
    case 'unauthorized':
      return <Navigate to={paths.unauthorized} replace />;
    case 'no-answer':
      return (
        <ErrorView
          title={t('unreachable')}
          text={t('unreachable.text')}
          action={{ label: common('retry'), onClick: loadMe }}
        />
      );
    case 'no-base-data':
      return (
        <ErrorView
          title={shell('assets')}
          text={shell('assets.text')}
          action={{ label: common('retry'), onClick: () => void loadBaseData() }}
        />
      );
    case 'pass':
      return <Inside>{children}</Inside>;
  }
}

/** What runs while a user is signed in: the keep-alive and the idle timer. */
function Inside({ children }: GuardProps) {
  useKeepAlive();
  useWakeUp();
  useIdleLimit();
  return children;
}
