import { useEffect } from 'react';
import { useAuth } from 'react-oidc-context';
import { useSnapshot } from 'valtio';
import { loginPath } from '@/lib/paths';
import { endSession, meState, signIn, signOut } from '@/stores/me-store';
import { bearerOf } from './oidc';
import { forgetEverything } from './forget';

interface SessionKeeperProps {
  navigate: (path: string) => void;
}

/** Ties the sign-in to the stores: hands over each bearer, and shows the way out when a session ends. */
export function SessionKeeper({ navigate }: SessionKeeperProps) {
  const auth = useAuth();
  const { ended } = useSnapshot(meState);
  const user = auth.user;

  useEffect(() => {
    if (user && !user.expired) void signIn(bearerOf(user));
  }, [user]);

  useEffect(() => auth.events.addAccessTokenExpired(() => endSession('E401')), [auth.events]);

  useEffect(() => {
    if (!ended) return;
    forgetEverything();
    signOut();
    navigate(ended === 'idle' ? loginPath() : loginPath(ended));
    void auth.removeUser();
  }, [ended, auth, navigate]);

  return null;
}
