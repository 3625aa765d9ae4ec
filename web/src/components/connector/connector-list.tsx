import { Database } from 'lucide-react';
import type { ComponentProps } from 'react';
import { EntityList } from '@/components/entity-list/entity-list';
import { dataSourceFilters } from '@/lib/datasource-filter';
import { formatShortDay } from '@/lib/data-format';
import { connectors as t } from '@/messages/connectors';
import type { ConnectorSummary } from './connector';
import { connectorCard, connectorColumns, connectorSegments, connectorWords } from './connector-content';

type ListProps<T extends ConnectorSummary> = ComponentProps<typeof EntityList<T>>;

interface ConnectorListProps<T extends ConnectorSummary> extends Pick<
  ListProps<T>,
  | 'items'
  | 'status'
  | 'count'
  | 'query'
  | 'onQuery'
  | 'projects'
  | 'selection'
  | 'actions'
  | 'open'
  | 'more'
  | 'height'
  | 'onRetry'
  | 'onPick'
> {
  /** Asks for a new connector; if left out, none can be made here. */
  onAdd?: (() => void) | undefined;
  /** Whether the list is narrowed by segment. */
  segments?: boolean;
}

/** Connectors as cards or rows, to open or to choose from. */
export function ConnectorList<T extends ConnectorSummary>({
  onAdd,
  segments = true,
  ...list
}: ConnectorListProps<T>) {
  const segment = dataSourceFilters.find((one) => one === list.query.segment) ?? 'all';
  return (
    <EntityList<T>
      {...list}
      words={connectorWords()}
      segments={segments ? connectorSegments() : undefined}
      card={connectorCard}
      columns={connectorColumns()}
      cardHeight={170}
      suggestionNote={({ updatedAt }) => formatShortDay(updatedAt)}
      add={onAdd && { label: t('add'), onAdd }}
      empty={{ icon: <Database size={22} />, text: t(`empty.${segment}`) }}
    />
  );
}
