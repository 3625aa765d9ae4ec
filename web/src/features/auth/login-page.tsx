import { Button, Card, Flex, Heading, Text } from '@radix-ui/themes';
import { useEffect, useState } from 'react';
import { useAuth } from 'react-oidc-context';
import { Navigate, useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { Logo } from '@/components/logo/logo';
import { FullPage } from '@/components/page/full-page';
import { notify } from '@/lib/notify';
import { paths } from '@/lib/paths';
import { useTitle } from '@/lib/use-title';
import { explainCode, meState, signInStep } from '@/stores/me-store';

/** The sign-in page. It says why the person is here, if the address names a code. */
function LoginPage() {
  const auth = useAuth();
  const [search] = useSearchParams();
  const [leaving, setLeaving] = useState(false);
  const code = search.get('code');

  useTitle('Sign in');
  const { phase } = useSnapshot(meState).signIn;
  // Until the page is there the reason of the end stands, so that no guard sends the person elsewhere.
  useEffect(() => {
    if (phase === 'ended') signInStep({ type: 'told' });
  }, [phase]);

  useEffect(() => {
    if (code === null) return;
    // After the frame: the toaster of a page that has just been opened is not listening yet.
    const frame = requestAnimationFrame(() => notify.stays(`login-${code}`, explainCode(code)));
    return () => cancelAnimationFrame(frame);
  }, [code]);

  async function login(): Promise<void> {
    setLeaving(true);
    try {
      await auth.signinRedirect(meState.askAnew ? { prompt: 'login' } : undefined);
    } catch {
      setLeaving(false);
      notify.error('The sign-in service cannot be reached.');
    }
  }

  // There is nothing to sign in to; only a reason why the user was sent here keeps the page.
  if (phase === 'live' && code === null) return <Navigate to={paths.home} replace />;

  return (
    <FullPage>
      <main>
        <Card size="4">
          <Flex direction="column" align="center" gap="5" maxWidth="340px" p="3">
            <Logo size={44} />
            <Flex direction="column" align="center" gap="2">
              <Heading as="h1" size="6">
                Sign in
              </Heading>
              <Text as="p" size="3" color="gray" align="center">
                Welcome to Parley. Ask questions of your data in plain words, and watch the answer arrive.
              </Text>
            </Flex>
            <Button size="3" loading={leaving} onClick={() => void login()}>
              Login
            </Button>
          </Flex>
        </Card>
      </main>
    </FullPage>
  );
}

export { LoginPage as Component };
