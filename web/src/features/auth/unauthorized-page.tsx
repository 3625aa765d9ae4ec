import { Button } from '@radix-ui/themes';
import { useNavigate } from 'react-router';
import { paths } from '@/lib/paths';
import { useTitle } from '@/lib/use-title';
import { auth as t } from '@/messages/auth';
import { forgetIdentity } from '@/stores/identity-store';
import { signInStep } from '@/stores/me-store';
import { SignInFrame } from './sign-in-frame';

/** For a person whom the identity provider knows and the app does not. */
function UnauthorizedPage() {
  const navigate = useNavigate();
  useTitle(t('unauthorized'));

  async function login(): Promise<void> {
    forgetIdentity();
    signInStep({ type: 'forget' });
    await navigate(paths.login);
  }

  return (
    <SignInFrame title={t('unauthorized')} text={t('unauthorized.text')}>
      <Button size="3" onClick={() => void login()}>
        {t('login')}
      </Button>
    </SignInFrame>
  );
}

export { UnauthorizedPage as Component };
