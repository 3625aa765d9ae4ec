import type { UserManager } from 'oidc-client-ts';
import { useEffect } from 'react';
import { useAuth } from 'react-oidc-context';
import { useSnapshot } from 'valtio';
import { loginPath } from '@/lib/paths';
import { endSession, meState, signIn, signOut } from '@/stores/me-store';
import { forgetEverything } from './forget';
import { bearerOf, followOtherTabs } from './oidc';

interface SessionKeeperProps {
  manager: UserManager;
  navigate: (path: string) => void;
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
    // Neither idleness nor a log-out in another tab is a fault that needs a message.
    navigate(ended === 'idle' || ended === 'signed-out' ? loginPath() : loginPath(ended));
    // A server that could not be reached says nothing about the sign-in; everything else ends it.
    const leaving = ended === 'S429' ? Promise.resolve() : manager.removeUser();
    void leaving.then(signOut);
  }, [ended, manager, navigate]);

  return null;
}
