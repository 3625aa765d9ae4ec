import { Button, Skeleton } from '@radix-ui/themes';
import { Database, RefreshCw } from 'lucide-react';
import { useEffect } from 'react';
import { Link, Navigate, useMatch, useParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { EmptyPage } from '@/components/page/empty-page';
import { Page } from '@/components/page/page';
import { paths } from '@/lib/paths';
import { dataSourcesState, loadDataSource } from '@/stores/datasources-store';
import { loadProjectLabels } from '@/stores/project-labels-store';
import { DataSourceDetails } from './datasource-details';
import { DataSourceEdit } from './datasource-edit';

/** `/datasource/{id}`, and `/datasource/{id}/edit`: one connector with its tables. */
function DataSourcePage() {
  const { dataSourceId = '' } = useParams();
  const id = Number(dataSourceId);
  const valid = Number.isSafeInteger(id) && id > 0;
  const editing = useMatch('/:list/:id/edit') !== null;
  const detail = useSnapshot(dataSourcesState).details[id];

  useEffect(() => {
    if (valid) void loadDataSource(id);
    void loadProjectLabels();
  }, [id, valid]);

  if (!valid || detail?.phase === 'not-found') {
    return (
      <EmptyPage
        icon={<Database size={22} />}
        title="Connector not found"
        action={
          <Button asChild variant="soft">
            <Link to={paths.dataSources}>All connectors</Link>
          </Button>
        }
      >
        It may have been deleted, or it is not shared with you.
      </EmptyPage>
    );
  }
  // What is edited is what the server holds now, not what was held here since the last visit.
  if (!detail || detail.phase === 'loading' || (editing && detail.phase === 'ready' && detail.refreshing)) {
    return (
      <Page title="Connector">
        <div role="status" aria-label="Loading connector">
          <Skeleton height="28px" width="280px" mb="4" />
          <Skeleton height="80px" mb="5" />
          <Skeleton height="360px" />
        </div>
      </Page>
    );
  }
  if (detail.phase === 'failed') {
    return (
      <EmptyPage
        icon={<RefreshCw size={22} />}
        title="The connector could not be loaded"
        action={
          <Button variant="soft" onClick={() => void loadDataSource(id)}>
            Try again
          </Button>
        }
      />
    );
  }
  if (editing) {
    // Whoever may only look is shown the connector itself.
    if (!detail.source.abilities.edit) return <Navigate to={paths.dataSource(id)} replace />;
    return <DataSourceEdit source={detail.source} />;
  }
  return <DataSourceDetails source={detail.source} refreshing={detail.refreshing} />;
}

export { DataSourcePage as Component };
