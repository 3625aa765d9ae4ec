import { Button } from '@radix-ui/themes';
import { Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { ConnectorList } from '@/components/connector/connector-list';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { Page } from '@/components/page/page';
import { dataSourceFilters, everySource } from '@/lib/datasource-filter';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import { useList } from '@/lib/use-collection';
import { useListQuery } from '@/lib/use-list-query';
import { useSourceList } from '@/lib/use-source-list';
import type { DataSource } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import { dataSources, loadSourceTypes, sourceTypes } from '@/stores/datasources-store/sources';
import { uploadWiring } from '@/stores/datasources-store/upload';
import { projectLabels } from '@/stores/project-labels-store';
import { SourceActions } from './source-actions';

/** `/datasources`: every connector that this person may use. */
function DataSourcesPage() {
  const { items: projects } = useList(projectLabels, undefined);
  const { types } = useSnapshot(sourceTypes);
  const { query, change } = useListQuery({ segments: dataSourceFilters });
  const [uploading, setUploading] = useState(false);
  const { segment, project, search } = query;
  const list = useSourceList(dataSources, segment, project, search);

  useEffect(() => void loadSourceTypes(), []);

  useEffect(() => {
    // Only the server knows which connectors were used since the list was loaded.
    if (segment === 'recent') void dataSources.refresh(everySource);
  }, [segment]);

  const add = (): void => setUploading(true);
  return (
    <Page
      wide
      title={t('page.title')}
      subtitle={t('page.subtitle')}
      actions={
        <Button onClick={add}>
          <Plus size={16} aria-hidden="true" /> {t('add')}
        </Button>
      }
    >
      <ConnectorList<DeepReadonly<DataSource>>
        {...list}
        query={query}
        onQuery={change}
        projects={projects}
        open={({ id }) => ({ to: paths.dataSource(id) })}
        actions={(source) => <SourceActions source={source} />}
        onAdd={add}
      />
      <UploadDialog open={uploading} onOpenChange={setUploading} {...uploadWiring(types)} />
    </Page>
  );
}

export { DataSourcesPage as Component };
