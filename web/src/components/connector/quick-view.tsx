import {
  Badge,
  Heading,
  IconButton,
  Link as ThemeLink,
  Popover,
  SegmentedControl,
  Skeleton,
  Text,
} from '@radix-ui/themes';
import { Eye } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import { DataTable } from '@/components/data-table/data-table';
import { parseTable } from '@/components/data-table/parse-table';
import sideways from '@/components/surface/sideways.module.css';
import { Tooltip } from '@/components/tooltip/tooltip';
import { connectorTypeName } from '@/lib/connector-type';
import { cx } from '@/lib/cx';
import { connectors as t } from '@/messages/connectors';
import type { ConnectorSummary } from './connector';
import styles from './connector.module.css';

/** A table of a connector with its first rows as CSV. */
interface QuickTable {
  readonly id: number;
  readonly name: string;
  readonly preview: string;
  readonly rows: number;
}

/** The loading state of a quick view's content. */
export type QuickContent =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready'; readonly tables: readonly QuickTable[] }
  | { readonly phase: 'failed' };

/** The calls that a quick view makes to its parent. */
export interface QuickViewWiring {
  content: QuickContent;
  /** Called each time it opens, so that the rows are current. */
  onLoad: () => void;
}

interface QuickViewProps extends QuickViewWiring {
  connector: ConnectorSummary;
  /** The page with everything. */
  to: string;
}

/** How many rows are shown of a table; the rest is on the connector's page. */
const shownRows = 6;

/** Shows the content of a connector without leaving the list. */
export function QuickView({ connector, to, content, onLoad }: QuickViewProps) {
  const { name, type } = connector;
  return (
    <Popover.Root onOpenChange={(open) => open && onLoad()}>
      <Tooltip content={t('quick')}>
        <Popover.Trigger>
          <IconButton variant="ghost" color="gray" aria-label={t('quick.of', { name })}>
            <Eye size={17} aria-hidden="true" />
          </IconButton>
        </Popover.Trigger>
      </Tooltip>
      <Popover.Content width="560px" maxWidth="calc(100vw - 24px)" aria-label={t('quick.of', { name })}>
        <div className={styles.quickView}>
          <div className={styles.quickHead}>
            <Heading as="h2" size="3" truncate title={name}>
              {name}
            </Heading>
            <Badge color="gray">{connectorTypeName(type)}</Badge>
          </div>
          <QuickBody content={content} notice={connector.notice} />
          <ThemeLink asChild size="2" weight="medium">
            <Link to={to}>{t('quick.all')}</Link>
          </ThemeLink>
        </div>
      </Popover.Content>
    </Popover.Root>
  );
}

function QuickBody({ content, notice }: { content: QuickContent; notice: string | undefined }) {
  if (content.phase === 'loading') {
    return (
      <div role="status" aria-label={t('quick.loading')}>
        <Skeleton height="180px" />
      </div>
    );
  }
  if (content.phase === 'failed' || content.tables.length === 0) {
    return (
      <Text as="p" size="2" color="gray">
        {content.phase === 'failed' ? t('quick.failed') : notice || t('data.none')}
      </Text>
    );
  }
  return <QuickTables tables={content.tables} />;
}

function QuickTables({ tables }: { tables: readonly QuickTable[] }) {
  const [chosen, setChosen] = useState('');
  const table = tables.find(({ id }) => String(id) === chosen) ?? tables[0];
  if (!table) return null;
  return (
    <>
      {tables.length > 1 && (
        <div className={cx(styles.quickTables, sideways.box)}>
          <SegmentedControl.Root
            size="1"
            value={String(table.id)}
            onValueChange={setChosen}
            aria-label={t('quick.tables')}
          >
            {tables.map(({ id, name }) => (
              <SegmentedControl.Item key={id} value={String(id)}>
                {name}
              </SegmentedControl.Item>
            ))}
          </SegmentedControl.Root>
        </div>
      )}
      <FirstRows key={table.id} table={table} />
    </>
  );
}

function FirstRows({ table }: { table: QuickTable }) {
  const data = useMemo(() => {
    const { columns, rows } = parseTable(table.preview);
    return { columns: columns.map(({ name }) => name), rows: rows.slice(0, shownRows) };
  }, [table.preview]);
  return (
    <DataTable
      data={data}
      caption={t('preview.of', { name: table.name })}
      totalRows={table.rows}
      filterable={false}
    />
  );
}
