import type {
  EntityCardContent,
  EntityColumn,
  EntityWords,
  ListSegment,
} from '@/components/entity-list/entity';
import { ProjectTags } from '@/components/project/project-tag';
import { connectorTypeName } from '@/lib/connector-type';
import { dataSourceFilters } from '@/lib/datasource-filter';
import { formatDay } from '@/lib/format';
import { connectors as t } from '@/messages/connectors';
import { entityList } from '@/messages/entity-list';
import type { ConnectorSummary } from './connector';
import { ConnectorIcon } from './connector-icon';

/** The texts of a list of connectors. */
export const connectorWords = (): EntityWords => ({
  list: t('list'),
  search: t('search'),
  count: (count) => t('count', { count }),
  none: t('none'),
  loading: t('loading'),
  failed: t('failed'),
});

/** The segments of a list of connectors. */
export const connectorSegments = (): ListSegment[] =>
  dataSourceFilters.map((value) => ({
    value,
    label: value === 'owned' ? t('mine') : entityList(`segment.${value}`),
  }));

/** How much it contains, in words: the rows, and the number of tables if there are several. */
export function connectorSize({
  dataResourceSet: tables,
}: Pick<ConnectorSummary, 'dataResourceSet'>): string[] {
  if (tables.length === 0) return [];
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return [
    ...(tables.length > 1 ? [t('fact.tables', { count: tables.length })] : []),
    t('fact.rows', { count: rows }),
  ];
}

/** A connector as a card. */
export function connectorCard(connector: ConnectorSummary): EntityCardContent {
  const { type, description, scope, owner, updatedAt, notice, projectLabels } = connector;
  return {
    icon: <ConnectorIcon type={type} />,
    description,
    owner,
    notice,
    facts: [
      connectorTypeName(type),
      ...connectorSize(connector),
      scope === 'organization' ? t('fact.organization') : '',
      formatDay(updatedAt),
    ],
    ...(projectLabels.length > 0 && { body: <ProjectTags projects={projectLabels} /> }),
  };
}

const byText = (of: (connector: ConnectorSummary) => string) => (a: ConnectorSummary, b: ConnectorSummary) =>
  of(a).localeCompare(of(b));

/** The columns of connectors as rows. */
export const connectorColumns = (): EntityColumn<ConnectorSummary>[] => [
  { id: 'name', label: t('column.name'), cell: ({ name }) => name, sort: byText(({ name }) => name) },
  {
    id: 'description',
    label: t('column.description'),
    cell: ({ description, notice }) => (notice !== undefined && notice !== '' ? notice : description),
  },
  {
    id: 'project',
    label: t('column.project'),
    width: '170px',
    cell: ({ projectLabels }) => <ProjectTags projects={projectLabels} />,
    sort: byText(({ projectLabels }) => projectLabels[0]?.name ?? '\uffff'),
  },
  {
    id: 'lastUsed',
    label: t('column.lastUsed'),
    width: '130px',
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('column.never') : formatDay(lastUsedAt)),
    // The one that was used last first.
    sort: (a, b) => (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? ''),
  },
  {
    id: 'type',
    label: t('column.type'),
    width: '110px',
    cell: ({ type }) => connectorTypeName(type),
    sort: byText(({ type }) => connectorTypeName(type)),
  },
];
