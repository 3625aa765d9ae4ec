import { useEffect } from 'react';
import { hasAuthParams, useAuth } from 'react-oidc-context';
import { useNavigate, useSearchParams } from 'react-router';
import { FullSpinner } from '@/components/page/full-page';
import { loginPath } from '@/lib/paths';
import { useTitle } from '@/lib/use-title';
import { saveReturnPath, takeReturnPath } from './return-path';

/**
 * Where the guard sends who is not signed in, and where the identity provider sends them back.
 * It ends at the saved path, or, with no sign-in under way, at the sign-in page.
 */
function AuthorizingPage() {
  const auth = useAuth();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const returnTo = search.get('returnTo');
  const busy = auth.isLoading || auth.activeNavigator !== undefined;
  const failed = auth.error !== undefined;
  useTitle('Sign in');

  useEffect(() => {
    if (returnTo !== null) saveReturnPath(returnTo);
  }, [returnTo]);

  useEffect(() => {
    if (busy) return;
    if (auth.isAuthenticated) {
      void navigate(takeReturnPath(auth.user?.profile.sub), { replace: true });
    } else {
      // A refused or broken answer of the provider is told; a first visit needs no explanation.
      void navigate(loginPath(failed && hasAuthParams() ? 'sign-in-failed' : undefined), { replace: true });
    }
  }, [busy, auth.isAuthenticated, auth.user, failed, navigate]);

  return <FullSpinner label="Signing you in" />;
}

export { AuthorizingPage as Component };
