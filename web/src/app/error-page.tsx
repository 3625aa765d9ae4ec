import { isRouteErrorResponse, useNavigate, useRouteError } from 'react-router';
import { ErrorView } from '@/components/page/full-page';
import { copyText } from '@/lib/notify';
import { paths } from '@/lib/paths';

/** The status of a thrown response: the router wraps those of its loaders, and hands on those of a page as they are. */
function statusOf(error: unknown): number | null {
  return isRouteErrorResponse(error) || error instanceof Response ? error.status : null;
}

/** What is shown in place of a page that failed. */
export function ErrorPage() {
  const error = useRouteError();
  const navigate = useNavigate();
  const status = statusOf(error);

  if (status === 401) {
    return (
      <ErrorView message="Error" action={{ label: 'Login', onClick: () => void navigate(paths.login) }} />
    );
  }
  if (status === 404) {
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
