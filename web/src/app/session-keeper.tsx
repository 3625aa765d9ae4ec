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
  /** Resolves when the page is shown. */
  navigate: (path: string) => Promise<void>;
}

/**
 * Connects the stored tokens of the identity provider to the state of the sign-in, and leads to the sign-in page
 * when a session ends.
 */
export function SessionKeeper({ navigate }: SessionKeeperProps) {
  const { kept, settled } = useSnapshot(identityState);
  const { signIn } = useSnapshot(meState);
  const { phase } = signIn;
  const ended = signIn.phase === 'ended' ? signIn.code : null;
  // Needed when the session has ended, when the sign-in may be gone too.
  const sub = useRef<string | null>(null);

  useEffect(() => {
    if (kept) sub.current = identityState.kept?.profile.sub ?? null;
  }, [kept]);

  useEffect(() => renewWith(renewIdentity), []);
  useEffect(() => afterFirstLoad(() => void preloadLibrary()), []);
  useEffect(() => {
    if (kept) signInStep({ type: 'held', bearer: bearerOf(kept) });
    else if (settled) signInStep({ type: 'nobody' });
    // Sent again when the phase falls back to signed-out while the sign-in itself is still valid, as after S429.
  }, [kept, settled, phase]);
  useEffect(() => followOtherTabs(endSession), []);

  useEffect(() => {
    if (!ended) return;
    // A user who did not sign out on purpose returns to the same page, with the text they were typing.
    if (ended !== 'signed-out')
      saveReturnPath(window.location.pathname + window.location.search, sub.current);
    forgetPerson(ended);
    void leave(ended, navigate);
  }, [ended, navigate]);

  return null;
}

const silent: ReadonlySet<EndCode> = new Set(['idle', 'signed-out', 'elsewhere']);

async function leave(code: EndCode, navigate: SessionKeeperProps['navigate']): Promise<void> {
  // Neither idleness nor a sign-out in another tab is an error that needs a message. The page is opened first:
  // without a sign-in the guard would redirect to another page, and the message would be lost.
  await navigate(silent.has(code) ? loginPath() : loginPath(code));
  // If the server could not be reached, the sign-in may still be valid; every other code ends it.
  if (code !== 'S429') forgetIdentity();
  signInStep({ type: 'cleared' });
}
