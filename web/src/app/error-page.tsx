import { isRouteErrorResponse, useNavigate, useRouteError } from 'react-router';
import { ErrorView } from '@/components/page/full-page';
import { copyText } from '@/lib/notify';
import { paths } from '@/lib/paths';

/** What is shown in place of a page that failed. */
export function ErrorPage() {
  const error = useRouteError();
  const navigate = useNavigate();

  if (isRouteErrorResponse(error) && error.status === 401) {
    return (
      <ErrorView message="Error" action={{ label: 'Login', onClick: () => void navigate(paths.login) }} />
    );
  }
  if (isRouteErrorResponse(error) && error.status === 404) {
    return (
      <ErrorView message="Not found" action={{ label: 'Go to home', onClick: () => void navigate('/') }} />
    );
  }
  const detail = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
  return (
    <ErrorView
      message="An unexpected error occurred."
      detail={detail}
      onCopy={() => void copyText(detail)}
      action={{ label: 'Reload App', onClick: () => window.location.assign('/') }}
    />
  );
}
