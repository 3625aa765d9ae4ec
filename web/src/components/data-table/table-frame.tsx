import { Box, Flex, Text } from '@radix-ui/themes';
import type { NoticeHandler } from '@/components/code-block/notice';
import { table as t } from '@/messages/table';
import styles from './data-table.module.css';
import { TableGrid } from './table-grid';
import type { ShownTable } from './table-reading';

/** The props of every table. */
export interface TableOptions {
  /** Accessible name. */
  caption: string;
  /** The text is the beginning of a longer file, cut anywhere, even inside a character. */
  truncated?: boolean | undefined;
  /** The number of rows of the whole file, if this is only its beginning. */
  totalRows?: number | undefined;
  /** Height in px once there are more than 20 rows; default 400. */
  maxHeight?: number | undefined;
  /** The maximum width of a column for its texts, in px; default 320. The cell bar shows what does not fit. */
  widestColumn?: number | undefined;
  /** Shown when there are no rows; default "No data". */
  emptyText?: string | undefined;
  /** BCP 47 tag for numbers; default the person's. */
  locale?: string | undefined;
  onNotice?: NoticeHandler | undefined;
}

interface TableFrameProps extends TableOptions {
  table: ShownTable;
}

/** A table with its size below it. */
export function TableFrame(props: TableFrameProps) {
  const { table, caption, truncated = false, totalRows, emptyText = t('empty') } = props;
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
