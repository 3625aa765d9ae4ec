import { Box, Flex, Text } from '@radix-ui/themes';
import { useMemo, useRef } from 'react';

import type { Cell } from './cell';
import styles from './data-table.module.css';
import { cellFormatter } from './format-cell';
import {
  columnsBeforeWindow,
  columnWidth,
  headerHeight,
  type Range,
  rowHeight,
  rowsBeforeScroll,
  visibleRange,
  wideColumnWidth,
} from './geometry';
import { parseTable, type ParsedTable, type TableData } from './parse-table';
import { TableBody } from './table-body';
import { TableHead } from './table-head';
import { useSortedTable } from './use-sorted-table';
import { useViewport } from './use-viewport';

/** Props of {@link DataTable}. */
export interface DataTableProps {
  /** CSV text with a header line, or rows by position. */
  data: string | TableData;
  /** Accessible name. */
  caption: string;
  /** The text is the beginning of a longer file, cut anywhere, even inside a character. */
  truncated?: boolean | undefined;
  /** Rows of the whole, when `data` is only its beginning. */
  totalRows?: number | undefined;
  /** Height in px once there are more than 20 rows; default 400. */
  maxHeight?: number | undefined;
  /** Shown when there are no rows; default "No data". */
  emptyText?: string | undefined;
  /** BCP 47 tag for numbers; default the browser's. */
  locale?: string | undefined;
}

/** A table of text and numbers. Only what is in view is in the document, so 100,000 rows scroll like twenty. */
export function DataTable(props: DataTableProps) {
  const { data, caption, truncated = false, totalRows, emptyText = 'No data', locale } = props;
  const table = useMemo(() => parseTable(data, { truncated }), [data, truncated]);

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
          emptyText={emptyText}
          locale={locale}
        />
      )}
      <TableFooter table={table} truncated={truncated} totalRows={totalRows} />
    </Box>
  );
}

interface TableGridProps {
  table: ParsedTable;
  caption: string;
  maxHeight: number;
  emptyText: string;
  locale: string | undefined;
}

function TableGrid({ table, caption, maxHeight, emptyText, locale }: TableGridProps) {
  const box = useRef<HTMLDivElement>(null);
  const viewport = useViewport(box, { width: 1200, height: maxHeight });
  const model = useSortedTable(table);
  const rows = model.getRowModel().rows;
  const formatters = useMemo(
    () => table.columns.map((column) => cellFormatter(column, locale)),
    [table.columns, locale],
  );
  const widths = useMemo(() => columnWidths(table, formatters), [table, formatters]);

  const scrolls = rows.length > rowsBeforeScroll;
  const rowRange = scrolls
    ? visibleRange({
        count: rows.length,
        itemSize: rowHeight,
        offset: viewport.top,
        viewport: viewport.height,
        spare: 8,
      })
    : { start: 0, end: rows.length };
  const columnRange = rangeOfColumns(table.columns.length, viewport.left, viewport.width);

  return (
    <div
      ref={box}
      className={styles.scroll}
      style={scrolls ? { height: maxHeight } : {}}
      role="region"
      aria-label={caption}
      // A scrolling region must be reachable by keyboard, or its hidden part is not.
      // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- see above
      tabIndex={0}
    >
      <table
        className={styles.table}
        style={{ width: widths.reduce((sum, width) => sum + width, 0) }}
        aria-rowcount={rows.length + 1}
        aria-colcount={table.columns.length}
      >
        <caption className={styles.caption}>{caption}</caption>
        <TableHead
          columns={table.columns}
          widths={widths}
          range={columnRange}
          height={headerHeight}
          sortOf={(index) => model.getColumn(String(index))?.getIsSorted() ?? false}
          onSort={(index) => model.getColumn(String(index))?.toggleSorting()}
        />
        <TableBody
          columns={table.columns}
          rows={rows.slice(rowRange.start, rowRange.end).map((row): Cell[] => row.original)}
          firstRow={rowRange.start}
          rowCount={rows.length}
          range={columnRange}
          formatters={formatters}
        />
      </table>
      {rows.length === 0 && (
        <Text as="p" size="2" color="gray" align="center" m="5">
          {emptyText}
        </Text>
      )}
    </div>
  );
}

function TableFooter(props: { table: ParsedTable; truncated: boolean; totalRows: number | undefined }) {
  const { table, truncated, totalRows } = props;
  const shown = table.rows.length;
  const isPart = (totalRows !== undefined && totalRows > shown) || truncated || table.cut;
  const total = totalRows === undefined ? '' : ` of ${totalRows.toLocaleString()}`;
  const rows = isPart ? `First ${plural(shown, 'row')}${total}` : plural(shown, 'row');
  return (
    <Flex px="3" align="center" className={styles.footer}>
      <Text size="1" color="gray">
        {`${rows} · ${plural(table.columns.length, 'column')}`}
      </Text>
    </Flex>
  );
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString()} ${noun}${count === 1 ? '' : 's'}`;
}

function rangeOfColumns(count: number, left: number, width: number): Range {
  if (count <= columnsBeforeWindow) return { start: 0, end: count };
  return visibleRange({ count, itemSize: wideColumnWidth, offset: left, viewport: width, spare: 2 });
}

function columnWidths(table: ParsedTable, formatters: readonly ((cell: Cell) => string)[]): number[] {
  const wide = table.columns.length > columnsBeforeWindow;
  const sample = table.rows.slice(0, 100);
  return table.columns.map((column, index) => {
    if (wide) return wideColumnWidth;
    const texts = sample.map((row) => formatters[index]?.(row[index] ?? null) ?? '');
    return columnWidth(column.name, texts);
  });
}
