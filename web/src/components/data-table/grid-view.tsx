import { Text } from '@radix-ui/themes';
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from 'react';
import type { NoticeHandler } from '@/components/code-block/notice';
import sideways from '@/components/surface/sideways.module.css';
import { copyToClipboard } from '@/lib/clipboard';
import { cx } from '@/lib/cx';
import { distinguishable } from '@/lib/text';
import { common } from '@/messages/common';
import { table as t } from '@/messages/table';
import { CellBar, cellText } from './cell-bar';
import styles from './data-table.module.css';
import { type CellFormatter, cellFormatter } from './format-cell';
import {
  charactersIn,
  columnsBeforeWindow,
  columnWidth,
  headerHeight,
  rowHeight,
  rowsBeforeScroll,
  titleLimit,
  wideColumnWidth,
} from './geometry';
import { TableBody } from './table-body';
import { TableHead } from './table-head';
import { useCellKeys } from './use-cell-keys';
import type { ShownTable } from './table-reading';
import type { Windows } from './windows';

export interface GridProps {
  table: ShownTable;
  caption: string;
  maxHeight: number;
  widestColumn: number | undefined;
  emptyText: string;
  locale: string | undefined;
  onNotice?: NoticeHandler | undefined;
  onClearFilters: () => void;
}

interface GridViewProps extends GridProps {
  box: RefObject<HTMLDivElement | null>;
  windows: Windows;
}

/** The rows and columns themselves: only what is in view is in the document; one cell has the tab stop. */
export function GridView(props: GridViewProps) {
  const { table, caption, maxHeight, widestColumn, emptyText, locale, onNotice, box, windows } = props;
  const { columns, rowCount, allRows, filters } = table;
  const formatters = useMemo(() => columns.map((column) => cellFormatter(column, locale)), [columns, locale]);
  const texts = useMemo(
    () => sampleTexts(columns, table.sample, formatters),
    [columns, table.sample, formatters],
  );
  const widths = useMemo(() => columnWidths(columns, texts, widestColumn), [columns, texts, widestColumn]);
  const shorteners = useMemo(() => shortenersOf(columns, texts, widths), [columns, texts, widths]);
  const { rows } = windows;
  const keys = useCellKeys({ box, rowCount, columnCount: columns.length, ...windows });
  const { want } = table;
  useEffect(() => {
    want(rows.start, rows.end);
  });

  // What matches begins at the first row, however far the rows before were scrolled.
  const filteredBy = useRef(filters.conditions);
  useEffect(() => {
    if (filteredBy.current === filters.conditions) return;
    filteredBy.current = filters.conditions;
    scrollToTop(box.current);
  }, [box, filters.conditions]);

  const headRows = filters.open ? 2 : 1;
  const { active } = keys;
  const activeRow = active === null || active.row < 0 ? undefined : table.row(active.row);
  const value = activeRow?.[active?.column ?? 0] ?? null;

  const onKeyDown = (event: KeyboardEvent) => {
    const copies = event.key === 'c' && (event.ctrlKey || event.metaKey) && !event.shiftKey;
    if (copies && activeRow !== undefined && (window.getSelection()?.toString() ?? '') === '') {
      event.preventDefault();
      void copyToClipboard(cellText(value)).then((worked) =>
        onNotice?.(
          worked
            ? { tone: 'success', text: t('copied.cell') }
            : { tone: 'error', text: common('copy.failed') },
        ),
      );
      return;
    }
    keys.onKeyDown(event);
  };

  return (
    <>
      <div
        ref={box}
        className={cx(styles.scroll, sideways.table)}
        style={boxSize(table, maxHeight)}
        role="group"
        aria-label={caption}
      >
        <table
          // A table whose cells are reached one by one is what a grid is; there is no HTML element for it.
          // eslint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- see above
          role="grid"
          className={styles.table}
          style={{ width: widths.reduce((sum, width) => sum + width, 0) }}
          aria-rowcount={rowCount + headRows}
          aria-colcount={columns.length}
          onKeyDown={onKeyDown}
        >
          <caption className={styles.caption}>{caption}</caption>
          <TableHead
            columns={columns}
            widths={widths}
            range={windows.columns}
            sort={table.sort}
            onSort={table.onSort}
            filters={filters}
            onDown={(column) => keys.moveTo(0, column)}
            stop={keys.stop}
          />
          <TableBody
            columns={columns}
            row={table.row}
            rows={rows}
            rowCount={rowCount}
            headRows={headRows}
            range={windows.columns}
            formatters={formatters}
            shorteners={shorteners}
            stop={keys.stop}
            onFocusCell={keys.onFocusCell}
          />
        </table>
        {rowCount === 0 && allRows > 0 && filters.parts !== null && (
          <filters.parts.NoMatch onClear={props.onClearFilters} />
        )}
        {allRows === 0 && (
          <Text as="p" size="2" color="gray" align="center" m="5">
            {emptyText}
          </Text>
        )}
      </div>
      {active !== null && activeRow !== undefined && (
        <CellBar
          label={columns[active.column]?.label ?? ''}
          text={formatters[active.column]?.(value) ?? ''}
          row={activeRow}
          value={value}
          onNotice={onNotice}
        />
      )}
    </>
  );
}

function scrollToTop(box: HTMLElement | null): void {
  if (box !== null) box.scrollTop = 0;
}

/** The size of the box does not depend on what matches, so that what is below it does not move with each letter. */
function boxSize(
  { allRows, filters }: ShownTable,
  maxHeight: number,
): { height?: number; minHeight?: number } {
  if (allRows > rowsBeforeScroll) return { height: maxHeight };
  return filters.active ? { minHeight: headerHeight + allRows * rowHeight } : {};
}

/**
 * The texts of the first rows by column, if something depends on them: the width of the column, or how the texts
 * are cut.
 */
function sampleTexts(
  columns: ShownTable['columns'],
  sample: ShownTable['sample'],
  formatters: readonly CellFormatter[],
): string[][] {
  const wide = columns.length > columnsBeforeWindow;
  return columns.map(({ kind }, index) =>
    wide && kind !== 'text' ? [] : sample.map((row) => formatters[index]?.(row[index] ?? null) ?? ''),
  );
}

/** How the texts of each column are cut: texts that begin alike so that they stay distinct. */
function shortenersOf(
  columns: ShownTable['columns'],
  texts: readonly (readonly string[])[],
  widths: readonly number[],
): ((text: string) => string)[] {
  return columns.map(({ kind }, index) => {
    if (kind !== 'text') return (text) => text;
    const begun = (texts[index] ?? []).map((text) => text.slice(0, titleLimit));
    return distinguishable(begun, charactersIn(widths[index] ?? 0));
  });
}

function columnWidths(
  columns: ShownTable['columns'],
  texts: readonly (readonly string[])[],
  widest: number | undefined,
): number[] {
  const wide = columns.length > columnsBeforeWindow;
  return columns.map((column, index) =>
    wide ? wideColumnWidth : columnWidth(column.label, texts[index] ?? [], widest),
  );
}
