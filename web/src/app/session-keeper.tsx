import { useEffect, useRef } from 'react';
import { useSnapshot } from 'valtio';
import { saveReturnPath } from '@/features/auth/return-path';
import { forgetPerson } from '@/lib/at-sign-out';
import { afterFirstLoad } from '@/lib/after-first-load';
import { bearerOf } from '@/lib/kept-sign-in';
import { loginPath } from '@/lib/paths';
import type { EndCode } from '@/lib/sign-in';
import {
  followOtherTabs,
  forgetIdentity,
  identityState,
  preloadLibrary,
  renewIdentity,
} from '@/stores/identity-store';
import { endSession, meState, renewWith, signInStep } from '@/stores/me-store';

interface SessionKeeperProps {
  /** Settles when the page is there. */
  navigate: (path: string) => Promise<void>;
}

/** Ties what is held of the identity provider to the sign-in's state, and shows the way out when a session ends. */
export function SessionKeeper({ navigate }: SessionKeeperProps) {
  const { kept, settled } = useSnapshot(identityState);
  const { signIn } = useSnapshot(meState);
  const { phase } = signIn;
  const ended = signIn.phase === 'ended' ? signIn.code : null;
  // Asked for when the session has ended, and the sign-in perhaps with it.
  const sub = useRef<string | null>(null);

  useEffect(() => {
    if (kept) sub.current = identityState.kept?.profile.sub ?? null;
  }, [kept]);

  useEffect(() => renewWith(renewIdentity), []);
  useEffect(() => afterFirstLoad(() => void preloadLibrary()), []);
  useEffect(() => {
    if (kept) signInStep({ type: 'held', bearer: bearerOf(kept) });
    else if (settled) signInStep({ type: 'nobody' });
    // Told again when the phase falls back to signed-out while the sign-in itself still stands, as after S429.
  }, [kept, settled, phase]);
  useEffect(() => followOtherTabs(endSession), []);

  useEffect(() => {
    if (!ended) return;
    // A user who did not want to leave comes back to where they were, and finds there what they were typing.
    if (ended !== 'signed-out')
      saveReturnPath(window.location.pathname + window.location.search, sub.current);
    forgetPerson(ended);
    void leave(ended, navigate);
  }, [ended, navigate]);

  return null;
}

const silent: ReadonlySet<EndCode> = new Set(['idle', 'signed-out', 'elsewhere']);

async function leave(code: EndCode, navigate: SessionKeeperProps['navigate']): Promise<void> {
  // Neither idleness nor an end in another tab is a fault that needs a message. The page comes first:
  // without a sign-in the guard would send the person to another one, and the message would be lost.
  await navigate(silent.has(code) ? loginPath() : loginPath(code));
  // A server that could not be reached says nothing about the sign-in; everything else ends it.
  if (code !== 'S429') forgetIdentity();
  signInStep({ type: 'cleared' });
}
