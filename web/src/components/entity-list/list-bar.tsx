import { Text } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import { ProjectSelect } from '@/components/project/project-select';
import type { ProjectSummary } from '@/components/project/project-tag';
import { formatCount } from '@/lib/format';
import { searchByName } from '@/lib/search';
import { entityList as t } from '@/messages/entity-list';
import type { Entity, EntityOpening, EntityWords, ListQuery, ListSegment, ListView } from './entity';
import { EntitySearch } from './entity-search';
import { Segments } from './segments';
import { ViewToggle } from './view-toggle';
import styles from './list-bar.module.css';

interface ListBarProps<T extends Entity> {
  words: EntityWords;
  items: readonly T[];
  count: number;
  /** The number of items is known: it has been fetched. */
  known: boolean;
  query: ListQuery;
  onQuery: (changes: Partial<ListQuery>) => void;
  segments?: readonly ListSegment[] | undefined;
  projects?: readonly ProjectSummary[] | undefined;
  filters?: ReactNode;
  /** `null` if there is only one view. */
  view: ListView | null;
  /** The items are the results of the current query. */
  settled: boolean;
  open?: ((item: T) => EntityOpening) | undefined;
  suggestionNote?: ((item: T) => string) | undefined;
  onPick?: ((item: T) => void) | undefined;
}

/** The maximum number of suggestions while a person types. */
const offered = 8;

/** The filters of a list, the number of its items, and the choice of the view. */
export function ListBar<T extends Entity>(props: ListBarProps<T>) {
  const { words, items, count, query, onQuery, segments, projects, filters, view, settled, known } = props;
  const searching = query.search.trim() !== '';
  const found = searching
    ? searchByName(
        items.map((item) => ({ item, name: item.name, description: '' })),
        query.search,
      ).slice(0, offered)
    : [];

  function pick(item: T): void {
    const opening = props.open?.(item);
    if (props.onPick) props.onPick(item);
    else if (opening && 'onOpen' in opening) opening.onOpen();
    else onQuery({ search: item.name });
  }

  return (
    <div className={styles.bar}>
      {segments && segments.length > 1 && (
        <Segments
          segments={segments}
          value={query.segment}
          label={t('segments.label')}
          onChange={(segment) => onQuery({ segment })}
        />
      )}
      <div className={styles.tools}>
        <EntitySearch
          label={words.search}
          words={query.search}
          onWords={(search) => onQuery({ search })}
          suggestions={found.map(({ item, name }) => ({
            id: item.id,
            name,
            note: props.suggestionNote?.(item) ?? '',
          }))}
          // Entities that match by their description only are in the list, but are not suggested.
          settled={settled && items.length === 0}
          onPick={(id) => {
            const chosen = items.find((item) => item.id === id);
            if (chosen) pick(chosen);
          }}
        />
        {projects && (
          <ProjectSelect
            projects={projects}
            value={query.project}
            onChange={(project) => onQuery({ project })}
          />
        )}
        {filters}
        <Text size="2" color="gray" role="status" className={styles.count ?? ''}>
          {known && (searching ? t('found', { count: formatCount(count) }) : words.count(count))}
        </Text>
        {view !== null && (
          <div className={styles.view}>
            <ViewToggle value={view} onChange={(to) => onQuery({ view: to })} />
          </div>
        )}
      </div>
    </div>
  );
}
