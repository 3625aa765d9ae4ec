import { Flex, Spinner, Text } from '@radix-ui/themes';
import type { ShownColumn } from '@/lib/wire';
import { table as t } from '@/messages/table';
import styles from './data-table.module.css';
import { TableFrame, type TableOptions } from './table-frame';
import type { TableData } from './table-of-rows';
import type { OpenWorker } from './use-large-table';
import { useTable } from './use-table';

interface DataTableProps extends TableOptions {
  /** CSV text with a header line, or rows by position. */
  data: string | TableData;
  /** How people read the columns, if the server says it: units, headings, kinds of times. */
  shown?: readonly (ShownColumn | null)[] | undefined;
  /** For tests, which have no workers. */
  openWorker?: OpenWorker | undefined;
}

/** A table of text, times and numbers. Large ones are read in a worker, and only what is in view is in the document. */
export function DataTable(props: DataTableProps) {
  const { data, shown, truncated = false, openWorker, ...options } = props;
  const reading = useTable({ data, truncated, shown, locale: options.locale, openWorker });

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
  return <TableFrame {...options} truncated={truncated} table={reading.table} />;
}
