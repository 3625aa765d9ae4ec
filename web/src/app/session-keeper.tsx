import type { UserManager } from 'oidc-client-ts';
import { useEffect, useRef } from 'react';
import { useAuth } from 'react-oidc-context';
import { useSnapshot } from 'valtio';
import { saveReturnPath } from '@/features/auth/return-path';
import { forgetPerson } from '@/lib/at-sign-out';
import { loginPath } from '@/lib/paths';
import type { EndCode } from '@/lib/sign-in';
import { endSession, meState, renewWith, signInStep } from '@/stores/me-store';
import { bearerOf, followOtherTabs, renewSignIn } from './oidc';

interface SessionKeeperProps {
  manager: UserManager;
  /** Settles when the page is there. */
  navigate: (path: string) => Promise<void>;
}

/** Ties the identity provider's library to the sign-in's state, and shows the way out when a session ends. */
export function SessionKeeper({ manager, navigate }: SessionKeeperProps) {
  const auth = useAuth();
  const { signIn } = useSnapshot(meState);
  const { phase } = signIn;
  const ended = signIn.phase === 'ended' ? signIn.code : null;
  const user = auth.user;
  const settled = !auth.isLoading && auth.activeNavigator === undefined;
  // Asked for when the session has ended, and the sign-in perhaps with it.
  const sub = useRef<string | null>(null);

  useEffect(() => {
    if (user) sub.current = user.profile.sub;
  }, [user]);

  useEffect(() => renewWith((token) => renewSignIn(manager, token)), [manager]);
  useEffect(() => {
    if (user) signInStep({ type: 'held', bearer: bearerOf(user) });
    else if (settled) signInStep({ type: 'nobody' });
    // Told again when the phase falls back to signed-out while the sign-in itself still stands, as after S429.
  }, [user, settled, phase]);
  useEffect(() => followOtherTabs(manager, endSession), [manager]);

  useEffect(() => {
    if (!ended) return;
    // A user who did not want to leave comes back to where they were, and finds there what they were typing.
    if (ended !== 'signed-out')
      saveReturnPath(window.location.pathname + window.location.search, sub.current);
    forgetPerson(ended);
    void leave(manager, ended, navigate);
  }, [ended, manager, navigate]);

  return null;
}

const silent: ReadonlySet<EndCode> = new Set(['idle', 'signed-out', 'elsewhere']);

async function leave(
  manager: UserManager,
  code: EndCode,
  navigate: SessionKeeperProps['navigate'],
): Promise<void> {
  // Neither idleness nor an end in another tab is a fault that needs a message. The page comes first:
  // without a sign-in the guard would send the person to another one, and the message would be lost.
  await navigate(silent.has(code) ? loginPath() : loginPath(code));
  // A server that could not be reached says nothing about the sign-in; everything else ends it.
  if (code !== 'S429') await manager.removeUser();
  signInStep({ type: 'cleared' });
}
