import { SegmentedControl, Text, TextField, Tooltip } from '@radix-ui/themes';
import { LayoutGrid, List, Search } from 'lucide-react';
import { ProjectSelect } from '@/components/project/project-select';
import type { ProjectSummary } from '@/components/project/project-tag';
import { dataSourceFilters, type DataSourceFilter } from '@/lib/datasource-filter';
import { searchMax } from '@/lib/search';
import styles from './datasources.module.css';

/** What the list is narrowed by, and how it is shown. */
export interface SourceQuery {
  filter: DataSourceFilter;
  /** `null` for all projects. */
  project: number | null;
  search: string;
  view: 'card' | 'list';
}

interface DataSourceBarProps {
  query: SourceQuery;
  projects: readonly ProjectSummary[];
  /** How many connectors pass. */
  found: number;
  onChange: (changes: Partial<SourceQuery>) => void;
}

const filterLabels: Record<DataSourceFilter, string> = {
  all: 'All',
  favorite: 'Favorite',
  organization: 'Organization',
  owned: 'My connectors',
  shared: 'Shared with me',
  recent: 'Recent',
};

/** The filters, the search and the two views of the connector list. */
export function DataSourceBar({ query, projects, found, onChange }: DataSourceBarProps) {
  return (
    <div className={styles.bar}>
      <div className={styles.filters}>
        <SegmentedControl.Root
          value={query.filter}
          onValueChange={(filter) => onChange({ filter: filter as DataSourceFilter })}
          aria-label="Filter connectors"
        >
          {dataSourceFilters.map((value) => (
            <SegmentedControl.Item key={value} value={value}>
              {filterLabels[value]}
            </SegmentedControl.Item>
          ))}
        </SegmentedControl.Root>
      </div>
      <div className={styles.tools}>
        <TextField.Root
          className={styles.search ?? ''}
          placeholder="Search connectors"
          aria-label="Search connectors"
          maxLength={searchMax}
          value={query.search}
          onChange={(event) => onChange({ search: event.target.value })}
        >
          <TextField.Slot>
            <Search size={16} />
          </TextField.Slot>
        </TextField.Root>
        <ProjectSelect
          projects={projects}
          value={query.project}
          onChange={(project) => onChange({ project })}
        />
        {query.search.trim() !== '' && (
          <Text size="2" color="gray" role="status">
            Found: {found}
          </Text>
        )}
        <SegmentedControl.Root
          value={query.view}
          onValueChange={(view) => onChange({ view: view === 'list' ? 'list' : 'card' })}
          aria-label="View"
          ml="auto"
        >
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
    </div>
  );
}
