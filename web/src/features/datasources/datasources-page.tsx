import { Button, Text } from '@radix-ui/themes';
import { Database, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { AddConnectorCard, ConnectorLinkCard } from '@/components/connector/connector-card';
import { ConnectorGrid } from '@/components/connector/connector-grid';
import { ShowMore } from '@/components/connector/show-more';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { EmptyState } from '@/components/empty-state/empty-state';
import { Page } from '@/components/page/page';
import { dataSourceFilters, type DataSourceFilter } from '@/lib/datasource-filter';
import { formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import { useListAddress } from '@/lib/use-address';
import { refreshDataSources, useShownSources, useUpload } from '@/stores/datasources-store';
import { loadProjectLabels, projectLabelsState } from '@/stores/project-labels-store';
import { DataSourceBar, type SourceQuery } from './datasource-bar';
import { DataSourceTable } from './datasource-table';
import { SourceActions } from './source-actions';

const emptyTexts: Record<DataSourceFilter, string> = {
  all: 'Upload a file to ask it questions.',
  favorite: 'Mark a connector with its star to find it here.',
  organization: 'Connectors that everybody in your organization may use stand here.',
  owned: 'Connectors that you add stand here.',
  shared: 'Connectors that others share with you stand here.',
  recent: 'Connectors that you have asked lately stand here.',
};

/** `/datasources`: every connector that this person may use. */
function DataSourcesPage() {
  const { labels } = useSnapshot(projectLabelsState);
  const { held: address, change: changeAddress, words: search, setWords: setSearch } = useListAddress();
  const query: SourceQuery = {
    filter: dataSourceFilters.find((one) => one === address.get('filter')) ?? 'all',
    project: Number(address.get('project')) || null,
    view: address.get('view') === 'list' ? 'list' : 'card',
    search,
  };
  const [uploading, setUploading] = useState(false);
  const upload = useUpload();
  const { filter, project, view } = query;
  const { shown, count, none, more, restart } = useShownSources(filter, project, search);

  useEffect(() => {
    void loadProjectLabels();
  }, []);
  useEffect(() => {
    if (filter === 'recent') void refreshDataSources();
  }, [filter]);

  function change(changes: Partial<SourceQuery>): void {
    const { search: typed, ...rest } = changes;
    if (typed !== undefined) setSearch(typed);
    const said = Object.entries(rest).map(([name, value]) => {
      const usual = value === null || value === 'all' || value === 'card';
      return [name, usual ? null : String(value)] as const;
    });
    if (said.length > 0) changeAddress(Object.fromEntries(said));
    restart();
  }

  return (
    <Page
      title="Connectors"
      subtitle="The data that the assistant can be asked about."
      actions={
        <Button onClick={() => setUploading(true)}>
          <Plus size={16} /> Add connector
        </Button>
      }
    >
      <DataSourceBar query={query} projects={labels} found={count} onChange={change} />
      {view === 'card' ? (
        <ConnectorGrid label="Connectors">
          <li>
            <AddConnectorCard onClick={() => setUploading(true)} />
          </li>
          {shown.map((source) => (
            <li key={source.id}>
              <ConnectorLinkCard
                connector={source}
                to={paths.dataSource(source.id)}
                note={formatDay(source.updatedAt)}
                actions={<SourceActions source={source} />}
              />
            </li>
          ))}
        </ConnectorGrid>
      ) : (
        !none && <DataSourceTable sources={shown} />
      )}
      <ShowMore more={more} gap="4" />
      {none &&
        (search.trim() === '' ? (
          <EmptyState icon={<Database size={22} />} title="No connectors">
            {project === null ? emptyTexts[filter] : 'None of these connectors belongs to this project.'}
          </EmptyState>
        ) : (
          <Text as="p" size="2" color="gray" mt="4">
            No results found. Change search request and try again
          </Text>
        ))}
      <UploadDialog open={uploading} onOpenChange={setUploading} {...upload} />
    </Page>
  );
}

export { DataSourcesPage as Component };
