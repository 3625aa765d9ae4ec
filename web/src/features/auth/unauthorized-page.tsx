import { Button, Flex, Heading, Text } from '@radix-ui/themes';
import { useAuth } from 'react-oidc-context';
import { useNavigate } from 'react-router';
import { Logo } from '@/components/logo/logo';
import { FullPage } from '@/components/page/full-page';
import { paths } from '@/lib/paths';
import { useTitle } from '@/lib/use-title';
import { signInStep } from '@/stores/me-store';

/** For a person whom the identity provider knows and the app does not. */
function UnauthorizedPage() {
  const auth = useAuth();
  const navigate = useNavigate();
  useTitle('Unauthorized');

  async function login(): Promise<void> {
    await auth.removeUser();
    signInStep({ type: 'forget' });
    await navigate(paths.login);
  }

  return (
    <FullPage>
      <main>
        <Flex direction="column" align="center" gap="4" maxWidth="420px">
          <Logo size={40} />
          <Heading as="h1" size="5">
            Unauthorized
          </Heading>
          <Text as="p" align="center" color="gray">
            You are not authorized to view this page. Please login to continue.
          </Text>
          <Button onClick={() => void login()}>Login</Button>
        </Flex>
      </main>
    </FullPage>
  );
}

export { UnauthorizedPage as Component };
