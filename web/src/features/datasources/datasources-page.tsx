import { Button, SegmentedControl, Text, TextField, Tooltip } from '@radix-ui/themes';
import { Database, LayoutGrid, List, Plus, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSnapshot } from 'valtio';
import { AddConnectorCard, ConnectorLinkCard } from '@/components/connector/connector-card';
import { ConnectorGrid } from '@/components/connector/connector-grid';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { EmptyState } from '@/components/empty-state/empty-state';
import { Page } from '@/components/page/page';
import { dataSourceFilters, filterDataSources, type DataSourceFilter } from '@/lib/datasource-filter';
import { formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import { searchByName } from '@/lib/search';
import { dataSourcesState, useUpload } from '@/stores/datasources-store';
import { DataSourceTable } from './datasource-table';
import styles from './datasources.module.css';

const filterLabels: Record<DataSourceFilter, string> = {
  all: 'All',
  organization: 'Organization',
  owned: 'My connectors',
  shared: 'Shared with me',
};

/** `/datasources`: every connector that this person may use. */
function DataSourcesPage() {
  const { sources } = useSnapshot(dataSourcesState);
  const [filter, setFilter] = useState<string>('all');
  const [view, setView] = useState('card');
  const [query, setQuery] = useState('');
  const [uploading, setUploading] = useState(false);
  const upload = useUpload();
  const found = useMemo(
    () => searchByName(filterDataSources(sources, filter), query),
    [sources, filter, query],
  );

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
      <div className={styles.bar}>
        <div className={styles.filters}>
          <SegmentedControl.Root value={filter} onValueChange={setFilter} aria-label="Filter connectors">
            {dataSourceFilters.map((value) => (
              <SegmentedControl.Item key={value} value={value}>
                {filterLabels[value]}
              </SegmentedControl.Item>
            ))}
          </SegmentedControl.Root>
        </div>
        <TextField.Root
          className={styles.search ?? ''}
          placeholder="Search connectors"
          aria-label="Search connectors"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        >
          <TextField.Slot>
            <Search size={16} />
          </TextField.Slot>
        </TextField.Root>
        {query !== '' && (
          <Text size="2" color="gray" role="status">
            Found: {found.length}
          </Text>
        )}
        <SegmentedControl.Root value={view} onValueChange={setView} aria-label="View" ml="auto">
          <SegmentedControl.Item value="card">
            <Tooltip content="Cards">
              <LayoutGrid size={15} aria-label="Cards" />
            </Tooltip>
          </SegmentedControl.Item>
          <SegmentedControl.Item value="list">
            <Tooltip content="List">
              <List size={15} aria-label="List" />
            </Tooltip>
          </SegmentedControl.Item>
        </SegmentedControl.Root>
      </div>
      {view === 'card' ? (
        <ConnectorGrid label="Connectors">
          <li>
            <AddConnectorCard onClick={() => setUploading(true)} />
          </li>
          {found.map((source) => (
            <li key={source.id}>
              <ConnectorLinkCard
                connector={source}
                to={paths.dataSource(source.id)}
                note={formatDay(source.updatedAt)}
              />
            </li>
          ))}
        </ConnectorGrid>
      ) : (
        found.length > 0 && <DataSourceTable sources={found} />
      )}
      {found.length === 0 &&
        (query === '' ? (
          <EmptyState icon={<Database size={22} />} title="No connectors">
            Upload a file to ask it questions.
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
