import { Button, Skeleton } from '@radix-ui/themes';
import { Database, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { Link, Navigate, useMatch, useParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { EmptyPage } from '@/components/page/empty-page';
import { Page } from '@/components/page/page';
import { paths } from '@/lib/paths';
import { common } from '@/messages/common';
import { connectors as t } from '@/messages/connectors';
import { loadDataSource } from '@/stores/datasources-store/change';
import { dataSources } from '@/stores/datasources-store/sources';
import { DataSourceDetails } from './datasource-details';
import { DataSourceEdit } from './datasource-edit';

/** `/datasource/{id}`, and `/datasource/{id}/edit`: one connector with its tables. */
function DataSourcePage() {
  const { dataSourceId = '' } = useParams();
  const id = Number(dataSourceId);
  const valid = Number.isSafeInteger(id) && id > 0;
  const editing = useMatch('/:list/:id/edit') !== null;
  const detail = useSnapshot(dataSources.state).details[id];

  useEffect(() => {
    if (valid) void loadDataSource(id);
  }, [id, valid]);

  if (!valid || detail?.status === 'gone') {
    return (
      <EmptyPage
        icon={<Database size={22} />}
        title={t('gone')}
        action={
          <Button asChild variant="soft">
            <Link to={paths.dataSources}>{t('gone.back')}</Link>
          </Button>
        }
      >
        {t('gone.text')}
      </EmptyPage>
    );
  }
  const source = detail?.entity;
  if (source == null && detail?.status === 'failed') {
    return (
      <EmptyPage
        icon={<RefreshCw size={22} />}
        title={t('load.failed')}
        action={
          <Button variant="soft" onClick={() => void loadDataSource(id)}>
            {common('retry')}
          </Button>
        }
      />
    );
  }
  // The current state of the server is edited, not the one cached since the last visit.
  if (source == null || (editing && detail?.status === 'refreshing')) return <Waiting />;
  if (editing) {
    // People who may not change it see the connector itself.
    if (!source.abilities.edit) return <Navigate to={paths.dataSource(id)} replace />;
    return <DataSourceEdit source={source} />;
  }
  return <DataSourceDetails source={source} />;
}

function Waiting() {
  return (
    <Page title={t('loading.page')}>
      <div role="status" aria-label={t('loading.one')}>
        <Skeleton height="20px" width="420px" maxWidth="100%" mb="5" />
        <Skeleton height="240px" mb="5" />
        <Skeleton height="360px" />
      </div>
    </Page>
  );
}

export { DataSourcePage as Component };
