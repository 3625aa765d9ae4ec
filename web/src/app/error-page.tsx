import { Button } from '@radix-ui/themes';
import { LogIn } from 'lucide-react';
import { useEffect } from 'react';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { EmptyPage } from '@/components/page/empty-page';
import { ErrorView } from '@/components/page/error-view';
import { reportError } from '@/lib/collector/report';
import { copyError } from '@/lib/notify';
import { paths } from '@/lib/paths';
import { problem as t } from '@/messages/problem';
import { NotFound } from './not-found';

/** The status of a thrown response: the router wraps those of its loaders, and hands on those of a page as they are. */
function statusOf(error: unknown): number | null {
  return isRouteErrorResponse(error) || error instanceof Response ? error.status : null;
}

/** What is shown in place of a page that failed. */
export function ErrorPage() {
  const error = useRouteError();
  const status = statusOf(error);
  useEffect(() => {
    // A page that there is not, and one that is not for everybody, are no faults.
    if (status === null) reportError(error);
  }, [error, status]);

  if (status === 404) return <NotFound />;
  if (status === 401) {
    return (
      <EmptyPage
        icon={<LogIn size={22} />}
        title={t('title')}
        action={
          <Button asChild>
            <Link to={paths.login}>{t('login')}</Link>
          </Button>
        }
      >
        {t('unauthorized')}
      </EmptyPage>
    );
  }
  const detail = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
  return (
    <ErrorView
      title={t('unexpected')}
      text={t('unexpected.text')}
      detail={detail}
      onCopy={() => void copyError(detail)}
      action={{ label: t('reload'), onClick: () => window.location.assign('/') }}
    />
  );
}
