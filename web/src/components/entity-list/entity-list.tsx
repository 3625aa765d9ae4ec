import type { ReactNode } from 'react';
import { EmptyState } from '@/components/empty-state/empty-state';
import type { ProjectSummary } from '@/components/project/project-tag';
import { isFirstLoad, type LoadStatus } from '@/lib/load-status';
import { entityList as t } from '@/messages/entity-list';
import { useMediaQuery } from '@/lib/use-media-query';
import { AddCard } from './add-card';
import type {
  AddEntity,
  Entity,
  EntityCardContent,
  EntityColumn,
  EntityOpening,
  EntitySelection,
  EntityWords,
  ListQuery,
  ListSegment,
} from './entity';
import { EntityCard, type CardChoice } from './entity-card';
import { EntityGrid } from './entity-grid';
import type { GridCell } from './grid-parts';
import { LaterEntityTable } from './later-entity-table';
import { ListBar } from './list-bar';
import { PageSwitch, ShowMore, type MoreItems, type PagedItems } from './list-pages';
import { ListFailed, ListSkeletons, NothingFound, RefreshFailed } from './list-states';

/** What is shown if there is nothing, and no search. */
export interface EmptyList {
  icon: ReactNode;
  /** What the entities are for, or how to add them, in a sentence. */
  text: ReactNode;
  /** One button. */
  action?: ReactNode;
}

interface EntityListProps<T extends Entity> {
  words: EntityWords;
  /** The items to show, already filtered and sorted; a table's headings may sort them again. */
  items: readonly T[];
  status: LoadStatus;
  /** The number of all items, shown or not; if left out, the number of those shown. */
  count?: number;
  query: ListQuery;
  onQuery: (changes: Partial<ListQuery>) => void;
  /** The first one shows everything. */
  segments?: readonly ListSegment[] | undefined;
  projects?: readonly ProjectSummary[] | undefined;
  /** Further controls of the bar, such as a choice of a category. */
  filters?: ReactNode;
  /** What those filters are set to, in words; left out if they do not filter. */
  filtered?: string | undefined;
  /** Set it to offer cards, */
  card?: ((item: T) => EntityCardContent) | undefined;
  /** and this to offer a table. */
  columns?: readonly EntityColumn<T>[] | undefined;
  /** The height of each card in pixels; 160 fit a title of two lines, a description and the facts. */
  cardHeight?: number;
  /** A card must be read and needs width: at most three are side by side, also in a wide space. */
  wideCards?: boolean | undefined;
  open?: ((item: T) => EntityOpening) | undefined;
  selection?: EntitySelection | undefined;
  /** The buttons of an entity. */
  actions?: ((item: T) => ReactNode) | undefined;
  /** Distinguishes entities of the same name in the search suggestions, for example by a day. */
  suggestionNote?: ((item: T) => string) | undefined;
  /**
   * What choosing a search suggestion does; if left out, it opens the entity if that is a button, else it searches
   * for its name.
   */
  onPick?: ((item: T) => void) | undefined;
  add?: AddEntity | undefined;
  empty: EmptyList;
  onRetry: () => void;
  more?: MoreItems | null | undefined;
  pages?: PagedItems | undefined;
  /** The height in pixels within which the list scrolls, as in a dialog; if left out, the page scrolls. */
  height?: number | undefined;
}

/** Any list of entities: filtered by segment, project and words, as cards or as a table, in all its states. */
export function EntityList<T extends Entity>(props: EntityListProps<T>) {
  const {
    words,
    items,
    status,
    query,
    onQuery,
    card,
    columns,
    cardHeight = 160,
    pages,
    more,
    onRetry,
  } = props;
  const count = props.count ?? items.length;
  const view = card === undefined ? 'list' : columns === undefined ? 'card' : query.view;
  const waiting = isFirstLoad(status) && items.length === 0;
  const failed = status === 'failed';

  return (
    <div>
      <ListBar
        {...props}
        count={count}
        known={items.length > 0 || !(isFirstLoad(status) || failed)}
        view={card !== undefined && columns !== undefined ? view : null}
        settled={status === 'fetched'}
      />
      {failed && items.length > 0 && <RefreshFailed onRetry={onRetry} />}
      {waiting && (
        <ListSkeletons label={words.loading} view={view} cardHeight={cardHeight} wide={props.wideCards} />
      )}
      {!waiting && items.length === 0 && <NoItems {...props} />}
      {items.length > 0 && view === 'card' && card && (
        <CardView {...props} card={card} cardHeight={cardHeight} />
      )}
      {items.length > 0 && view === 'list' && columns && (
        <LaterEntityTable
          label={words.list}
          items={items}
          columns={columns}
          open={props.open}
          selection={props.selection}
          actions={props.actions}
          sort={query.sort}
          onSort={(sort) => onQuery({ sort })}
          height={props.height}
        />
      )}
      {more && items.length > 0 && <ShowMore {...more} />}
      {pages && <PageSwitch {...pages} count={count} />}
    </div>
  );
}

/** Says why there is nothing, and what can be done about it. */
function NoItems<T extends Entity>(props: EntityListProps<T>) {
  const { words, status, query, onQuery, segments, empty, onRetry } = props;
  const asked = askedFor(props);
  if (status === 'failed') return <ListFailed title={words.failed} onRetry={onRetry} />;
  if (asked.length > 0) {
    return (
      <NothingFound
        asked={asked}
        onClear={() => onQuery({ search: '', project: null, segment: segments?.[0]?.value ?? query.segment })}
      />
    );
  }
  return (
    <EmptyState icon={empty.icon} title={words.none} action={empty.action}>
      {empty.text}
    </EmptyState>
  );
}

/**
 * What the list was filtered by, in words. A segment alone is treated like a page, and has its own text for being
 * empty.
 */
function askedFor<T extends Entity>({ query, segments, projects, filtered }: EntityListProps<T>): string[] {
  const { search, project, segment } = query;
  const asked: string[] = [];
  if (search.trim() !== '') asked.push(t('asked.search', { words: search.trim() }));
  if (project !== null) {
    const name = projects?.find(({ id }) => id === project)?.name;
    if (name !== undefined) asked.push(t('asked.project', { project: name }));
  }
  if (filtered !== undefined) asked.push(filtered);
  const place = segments?.findIndex(({ value }) => value === segment) ?? -1;
  const label = place > 0 ? segments?.[place]?.label : undefined;
  if (asked.length > 0 && label !== undefined) asked.push(t('asked.segment', { segment: label }));
  return asked;
}

interface CardViewProps<T extends Entity> extends EntityListProps<T> {
  card: (item: T) => EntityCardContent;
  cardHeight: number;
}

function CardView<T extends Entity>(props: CardViewProps<T>) {
  const { items, card, open, selection, actions, add, cardHeight, wideCards, height, words } = props;
  // On a phone a card fills the width, and a full card with a single word would push the first entry off the
  // screen.
  const onPhone = useMediaQuery('(max-width: 599px)');
  const choiceOf = (item: T): CardChoice | null =>
    selection
      ? {
          selected: selection.selected.includes(item.id),
          disabled: selection.disabled?.includes(item.id) ?? false,
          locked: selection.locked?.includes(item.id) ?? false,
          onToggle: () => selection.onToggle(item.id),
        }
      : null;
  const cells: GridCell[] = items.map((item) => ({
    key: String(item.id),
    render: () => (
      <EntityCard
        name={item.name}
        content={card(item)}
        opening={open?.(item) ?? null}
        choice={choiceOf(item)}
        actions={actions?.(item)}
      />
    ),
  }));
  if (add && !onPhone) cells.unshift({ key: 'new', render: () => <AddCard {...add} /> });
  return (
    <>
      {add && onPhone && <AddCard {...add} compact />}
      <EntityGrid label={words.list} cells={cells} cardHeight={cardHeight} wide={wideCards} height={height} />
    </>
  );
}
