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
 * The page to which the guard sends users who are not signed in, and to which the identity provider returns them.
 * It redirects to the saved path, or, if no sign-in is under way, to the sign-in page.
 */
function AuthorizingPage() {
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const returnTo = search.get('returnTo');
  const { signIn } = useSnapshot(meState);
  const { phase } = signIn;
  // The return path is taken only once, so the effect must not depend on other changes while the next page loads.
  const signedIn = phase !== 'signed-out';
  const { kept, failed } = useSnapshot(identityState);
  const sub = kept?.profile.sub;
  // An ended session is being cleared, or the stored sign-in is being read.
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
      // A refusal or an invalid answer of the provider is explained; a first visit needs no explanation.
      void navigate(loginPath(failed && isProviderAnswer() ? 'sign-in-failed' : undefined), {
        replace: true,
      });
    }
  }, [busy, signedIn, sub, failed, navigate]);

  return <FullSpinner label={t('signingIn')} />;
}

export { AuthorizingPage as Component };
