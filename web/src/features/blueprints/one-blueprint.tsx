import { Button, Skeleton } from '@radix-ui/themes';
import { ListChecks, RefreshCw } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { Link, useParams } from 'react-router';
import { EmptyPage } from '@/components/page/empty-page';
import { Page } from '@/components/page/page';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import { useEntity } from '@/lib/use-collection';
import type { Blueprint } from '@/lib/wire';
import { blueprints as t } from '@/messages/blueprints';
import { common } from '@/messages/common';
import { blueprints } from '@/stores/blueprints-store/blueprints';

interface OneBlueprintProps {
  /** Waits for the current state of the server, because a form is filled from it. */
  isFresh?: boolean;
  children: (blueprint: DeepReadonly<Blueprint>) => ReactNode;
}

/** The blueprint that the address names, in all its states. */
export function OneBlueprint(props: OneBlueprintProps) {
  const { blueprintId = '' } = useParams();
  const id = Number(blueprintId);
  if (!Number.isSafeInteger(id) || id <= 0) return <NoSuchBlueprint />;
  return <KnownBlueprint key={id} id={id} {...props} />;
}

function KnownBlueprint({ id, isFresh = false, children }: OneBlueprintProps & { id: number }) {
  const { status, entity } = useEntity(blueprints, id);
  const [isAnswered, setAnswered] = useState(false);

  useEffect(() => {
    let isGone = false;
    // It shares the call of the hook above.
    void blueprints.fetch(id).then(() => {
      if (!isGone) setAnswered(true);
    });
    return () => {
      isGone = true;
    };
  }, [id]);

  if (entity && (isAnswered || !isFresh)) return children(entity);
  if (status === 'gone') return <NoSuchBlueprint />;
  if (status === 'failed') {
    return (
      <EmptyPage
        icon={<RefreshCw size={22} />}
        title={t('one.failed')}
        action={
          <Button variant="soft" onClick={() => void blueprints.fetch(id)}>
            {common('retry')}
          </Button>
        }
      />
    );
  }
  return (
    <Page title={t('one')}>
      <div role="status" aria-label={t('one.loading')}>
        <Skeleton height="28px" width="280px" mb="4" />
        <Skeleton height="80px" mb="5" />
        <Skeleton height="360px" />
      </div>
    </Page>
  );
}

function NoSuchBlueprint() {
  return (
    <EmptyPage
      icon={<ListChecks size={22} />}
      title={t('one.gone')}
      action={
        <Button asChild variant="soft">
          <Link to={paths.blueprints}>{t('one.all')}</Link>
        </Button>
      }
    >
      {t('one.gone.text')}
    </EmptyPage>
  );
}
