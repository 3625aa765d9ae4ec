import type { UserManager } from 'oidc-client-ts';
import { useEffect } from 'react';
import { useAuth } from 'react-oidc-context';
import { useSnapshot } from 'valtio';
import { loginPath } from '@/lib/paths';
import { endSession, meState, signIn, signOut, type EndCode } from '@/stores/me-store';
import { forgetEverything } from './forget';
import { bearerOf, followOtherTabs } from './oidc';

interface SessionKeeperProps {
  manager: UserManager;
  /** Settles when the page is there. */
  navigate: (path: string) => Promise<void>;
}

/** Ties the sign-in to the stores: hands over each bearer, and shows the way out when a session ends. */
export function SessionKeeper({ manager, navigate }: SessionKeeperProps) {
  const auth = useAuth();
  const { ended, phase } = useSnapshot(meState);
  const user = auth.user;

  useEffect(() => {
    if (user && user.expired !== true && !ended) void signIn(bearerOf(user));
    // Asked again when the phase falls back to signed-out while the sign-in itself still stands, as after S429.
  }, [user, ended, phase]);

  useEffect(() => manager.events.addAccessTokenExpired(() => endSession('E401')), [manager]);
  useEffect(() => followOtherTabs(manager, () => endSession('signed-out')), [manager]);

  useEffect(() => {
    if (!ended) return;
    forgetEverything();
    void leave(manager, ended, navigate);
  }, [ended, manager, navigate]);

  return null;
}

async function leave(
  manager: UserManager,
  code: EndCode,
  navigate: SessionKeeperProps['navigate'],
): Promise<void> {
  // Neither idleness nor a log-out in another tab is a fault that needs a message. The page comes first:
  // without a sign-in the guard would send the person to another one, and the message would be lost.
  await navigate(code === 'idle' || code === 'signed-out' ? loginPath() : loginPath(code));
  // A server that could not be reached says nothing about the sign-in; everything else ends it.
  if (code !== 'S429') await manager.removeUser();
  signOut();
}
