import { Button } from '@radix-ui/themes';
import { Compass } from 'lucide-react';
import { Link, useNavigate } from 'react-router';
import { EmptyPage } from '@/components/page/empty-page';
import { paths } from '@/lib/paths';
import { problem as t } from '@/messages/problem';

/**
 * An address that leads nowhere, or to what this person may not see: the two look the same. It is rendered, not
 * thrown: the router would report a thrown response in the console as an error of the app.
 */
export function NotFound() {
  const navigate = useNavigate();
  return (
    <EmptyPage
      icon={<Compass size={22} />}
      title={t('notFound')}
      action={
        <>
          <Button asChild>
            <Link to={paths.home}>{t('home')}</Link>
          </Button>
          {window.history.length > 1 && (
            <Button variant="soft" color="gray" onClick={() => void navigate(-1)}>
              {t('back')}
            </Button>
          )}
        </>
      }
    >
      {t('notFound.text')}
    </EmptyPage>
  );
}

export { NotFound as Component };
