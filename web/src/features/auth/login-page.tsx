import { Button } from '@radix-ui/themes';
import { useEffect, useState } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { notify } from '@/lib/notify';
import { paths } from '@/lib/paths';
import { useTitle } from '@/lib/use-title';
import { auth as t } from '@/messages/auth';
import { goToProvider } from '@/stores/identity-store';
import { explainCode, meState, signInStep } from '@/stores/me-store';
import { SignInFrame } from './sign-in-frame';

/** The sign-in page. It says why the person is here, if the address names a code. */
function LoginPage() {
  const [search] = useSearchParams();
  const [leaving, setLeaving] = useState(false);
  const code = search.get('code');

  useTitle(t('title'));
  const { phase } = useSnapshot(meState).signIn;
  // Until this page is shown, the reason of the end is kept, so that no guard redirects the person elsewhere.
  useEffect(() => {
    if (phase === 'ended') signInStep({ type: 'told' });
  }, [phase]);

  useEffect(() => {
    if (code === null) return;
    // In the next frame: the toaster of a page that has just been opened is not ready yet.
    const frame = requestAnimationFrame(() => notify.stays(`login-${code}`, explainCode(code)));
    return () => cancelAnimationFrame(frame);
  }, [code]);

  async function login(): Promise<void> {
    setLeaving(true);
    try {
      await goToProvider(meState.askAnew);
    } catch {
      setLeaving(false);
      notify.error(t('unreachable'));
    }
  }

  // The user is signed in already; the page is only shown if there is a reason why the user was sent here.
  if (phase === 'live' && code === null) return <Navigate to={paths.home} replace />;

  return (
    <SignInFrame title={t('title')} text={t('welcome')}>
      <Button size="3" loading={leaving} onClick={() => void login()}>
        {t('login')}
      </Button>
    </SignInFrame>
  );
}

export { LoginPage as Component };
