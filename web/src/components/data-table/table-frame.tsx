import { Box, Button, Flex, Text } from '@radix-ui/themes';
import { useRef } from 'react';
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
  /** Whether rows can be filtered; default true. */
  filterable?: boolean | undefined;
  onNotice?: NoticeHandler | undefined;
}

interface TableFrameProps extends TableOptions {
  table: ShownTable;
}

/** A table with its size below it, and a button for its filters. */
export function TableFrame(props: TableFrameProps) {
  const { table, caption, truncated = false, totalRows, emptyText = t('empty'), filterable = true } = props;
  const { filters, allRows } = table;
  const { parts } = filters;
  const button = useRef<HTMLButtonElement>(null);
  const clear = () => {
    filters.onClear();
    // The button that was pressed is gone.
    button.current?.focus();
  };
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
          onClearFilters={clear}
        />
      )}
      {filters.open && parts !== null && <parts.FilterHint columns={table.columns} />}
      <Flex px="3" py="1" gap="3" align="center" wrap="wrap" className={styles.footer}>
        {/* Only who filters is told of a change: a table that grows would interrupt all the time. */}
        <Text size="1" color="gray" role={filters.open || filters.active ? 'status' : undefined}>
          {t('size', { rows: rowsText(table, truncated, totalRows), columns: table.columns.length })}
        </Text>
        {filters.active && table.rowCount > 0 && parts !== null && <parts.ClearFilters onClear={clear} />}
        {filterable && allRows > 1 && (
          <Button
            ref={button}
            type="button"
            size="1"
            variant="ghost"
            {...(!filters.active && { color: 'gray' })}
            ml="auto"
            aria-label={t('filter.of', { table: caption })}
            aria-expanded={filters.open}
            onPointerEnter={filters.comeNear}
            onFocus={filters.comeNear}
            onClick={filters.onToggle}
          >
            {t('filter')}
          </Button>
        )}
      </Flex>
    </Box>
  );
}

function rowsText(table: ShownTable, truncated: boolean, whole: number | undefined): string {
  const { rowCount, allRows, filters } = table;
  const isBeginning = truncated || table.cut;
  if (filters.conditions.length > 0 && filters.parts !== null)
    return filters.parts.matchedText({ count: rowCount, total: allRows, isBeginning, whole });
  if (whole !== undefined && whole > allRows) return t('rows.first.of', { count: allRows, total: whole });
  return isBeginning ? t('rows.first', { count: allRows }) : t('rows', { count: allRows });
}
