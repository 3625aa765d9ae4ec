import { Button, Skeleton } from '@radix-ui/themes';
import { FolderX, TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import { EmptyPage } from '@/components/page/empty-page';
import { Page } from '@/components/page/page';
import { paths } from '@/lib/paths';
import { common } from '@/messages/common';
import { projects as t } from '@/messages/projects';
import { projectLabels } from '@/stores/project-labels-store';

/** Shown in place of a project while it loads, if it could not be loaded, and if it does not exist. */
export function ProjectMissing({ status }: { status: 'loading' | 'gone' | 'failed' }) {
  switch (status) {
    case 'loading':
      return (
        <Page title={t('title')}>
          <Skeleton height="320px" aria-label={common('loading')} />
        </Page>
      );
    case 'failed':
      return (
        <EmptyPage
          icon={<TriangleAlert size={22} />}
          title={t('failed')}
          action={<Button onClick={() => void projectLabels.refresh(undefined)}>{common('retry')}</Button>}
        />
      );
    case 'gone':
      return (
        <EmptyPage
          icon={<FolderX size={22} />}
          title={t('gone')}
          action={
            <Button asChild>
              <Link to={paths.projects}>{t('gone.to')}</Link>
            </Button>
          }
        >
          {t('gone.text')}
        </EmptyPage>
      );
  }
}
