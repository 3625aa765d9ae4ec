import { Button } from '@radix-ui/themes';
import { LogIn } from 'lucide-react';
import { useEffect } from 'react';
import { isRouteErrorResponse, Link, useRouteError } from 'react-router';
import { EmptyPage } from '@/components/page/empty-page';
import { ErrorView } from '@/components/page/error-view';
import { reportError } from '@/lib/collector/report';
import { copyError } from '@/lib/notify';
import { paths } from '@/lib/paths';
import { common } from '@/messages/common';
import { problem as t } from '@/messages/problem';
import { NotFound } from './not-found';

/**
 * The status of a thrown response: the router wraps those of its loaders, and passes on those of a page as they
 * are.
 */
function statusOf(error: unknown): number | null {
  return isRouteErrorResponse(error) || error instanceof Response ? error.status : null;
}

/** The error message of each browser for a module that it could not fetch. */
const notFetched =
  /Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS/iu;

/** What is shown in place of a page that failed. */
export function ErrorPage() {
  const error = useRouteError();
  const status = statusOf(error);
  const isAway = error instanceof Error && notFetched.test(error.message);
  useEffect(() => {
    // A missing page, a forbidden one and one that could not be loaded are not errors of the app.
    if (status === null && !isAway) reportError(error);
  }, [error, status, isAway]);

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
  if (isAway) {
    // A browser does not request a module again after it failed to load, so the whole page is reloaded.
    return (
      <ErrorView
        title={t('unreachable')}
        text={t('unreachable.text')}
        action={{ label: common('retry'), onClick: () => window.location.reload() }}
      />
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
