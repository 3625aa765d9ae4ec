import { Box, Flex, Spinner, Text } from '@radix-ui/themes';
import type { NoticeHandler } from '@/components/code-block/notice';
import type { ShownColumn } from '@/lib/wire';
import { table as t } from '@/messages/table';
import styles from './data-table.module.css';
import type { TableData } from './parse-table';
import { TableGrid } from './table-grid';
import type { OpenWorker } from './use-large-table';
import type { ShownTable } from './table-reading';
import { useTable } from './use-table';

interface DataTableProps {
  /** CSV text with a header line, or rows by position. */
  data: string | TableData;
  /** Accessible name. */
  caption: string;
  /** How people read the columns, where the server says it: units, headings, kinds of times. */
  shown?: readonly (ShownColumn | null)[] | undefined;
  /** The text is the beginning of a longer file, cut anywhere, even inside a character. */
  truncated?: boolean | undefined;
  /** Rows of the whole, when `data` is only its beginning. */
  totalRows?: number | undefined;
  /** Height in px once there are more than 20 rows; default 400. */
  maxHeight?: number | undefined;
  /** The widest that a column becomes for its texts, in px; default 320. What does not fit shows in the cell's bar. */
  widestColumn?: number | undefined;
  /** Shown when there are no rows; default "No data". */
  emptyText?: string | undefined;
  /** BCP 47 tag for numbers; default the person's. */
  locale?: string | undefined;
  onNotice?: NoticeHandler | undefined;
  /** For tests, which have no workers. */
  openWorker?: OpenWorker | undefined;
}

/** A table of text, times and numbers. Large ones are read in a worker, and only what is in view is in the document. */
export function DataTable(props: DataTableProps) {
  const { data, caption, shown, truncated = false, totalRows, emptyText = t('empty'), openWorker } = props;
  const reading = useTable({ data, truncated, shown, openWorker });

  if (reading.status !== 'ready') {
    const isReading = reading.status === 'reading';
    return (
      <Flex
        className={styles.frame}
        align="center"
        justify="center"
        gap="2"
        p="5"
        role={isReading ? 'status' : 'alert'}
      >
        <Spinner loading={isReading} />
        <Text size="2" color="gray">
          {t(isReading ? 'reading' : 'reading.failed')}
        </Text>
      </Flex>
    );
  }
  const { table } = reading;
  return (
    <Box className={styles.frame}>
      {table.columns.length === 0 ? (
        <Text as="p" size="2" color="gray" align="center" m="5">
          {emptyText}
        </Text>
      ) : (
        <TableGrid
          table={table}
          caption={caption}
          maxHeight={props.maxHeight ?? 400}
          widestColumn={props.widestColumn}
          emptyText={emptyText}
          locale={props.locale}
          onNotice={props.onNotice}
        />
      )}
      <Flex px="3" align="center" className={styles.footer}>
        <Text size="1" color="gray">
          {t('size', { rows: rowsText(table, truncated, totalRows), columns: table.columns.length })}
        </Text>
      </Flex>
    </Box>
  );
}

function rowsText(table: ShownTable, truncated: boolean, total: number | undefined): string {
  const count = table.rowCount;
  if (total !== undefined && total > count) return t('rows.first.of', { count, total });
  return truncated || table.cut ? t('rows.first', { count }) : t('rows', { count });
}
