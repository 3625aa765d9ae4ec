import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { FullSpinner } from '@/components/page/full-page';
import { isProviderAnswer } from '@/lib/kept-sign-in';
import { loginPath } from '@/lib/paths';
import { useTitle } from '@/lib/use-title';
import { auth as t } from '@/messages/auth';
import { identityState } from '@/stores/identity-store';
import { meState } from '@/stores/me-store';
import { saveReturnPath, takeReturnPath } from './return-path';

/**
 * Where the guard sends who is not signed in, and where the identity provider sends them back.
 * It ends at the saved path, or, with no sign-in under way, at the sign-in page.
 */
function AuthorizingPage() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const returnTo = search.get('returnTo');
  const { signIn } = useSnapshot(meState);
  const { phase } = signIn;
  // The return path is asked for once: whatever else changes while the next page loads is nothing to this one.
  const signedIn = phase !== 'signed-out';
  const { kept, failed } = useSnapshot(identityState);
  const sub = kept?.profile.sub;
  // The way out of a session that ended is being taken, or what was kept of a sign-in is being read.
  const busy = phase === 'ended' || (phase === 'loading' && signIn.bearer === null);
  useTitle(t('title'));

  useEffect(() => {
    if (returnTo !== null) saveReturnPath(returnTo);
  }, [returnTo]);

  useEffect(() => {
    if (busy) return;
    if (signedIn) {
      void navigate(takeReturnPath(sub), { replace: true });
    } else {
      // A refused or broken answer of the provider is told; a first visit needs no explanation.
      void navigate(loginPath(failed && isProviderAnswer() ? 'sign-in-failed' : undefined), {
        replace: true,
      });
    }
  }, [busy, signedIn, sub, failed, navigate]);

  return <FullSpinner label={t('signingIn')} />;
}

export { AuthorizingPage as Component };
