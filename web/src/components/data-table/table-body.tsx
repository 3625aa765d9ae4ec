import { MarkedText } from '../code-block';
import styles from './data-table.module.css';
import type { CellFormatter } from './format-cell';
import { columnsBeforeWindow, type Range, rowHeight } from './geometry';
import type { Cell } from './cell';
import type { TableColumn } from './parse-table';

// A tooltip with a megabyte in it stalls the browser.
const titleLimit = 500;

/** Props of {@link TableBody}. */
export interface TableBodyProps {
  columns: readonly TableColumn[];
  /** The rows that are in the document. */
  rows: readonly Cell[][];
  /** Place of the first of them among all. */
  firstRow: number;
  rowCount: number;
  range: Range;
  formatters: readonly CellFormatter[];
}

/** The rows in view, between two empty rows that keep the scroll bar true. */
export function TableBody({ columns, rows, firstRow, rowCount, range, formatters }: TableBodyProps) {
  const below = rowCount - firstRow - rows.length;
  const shown = columns.slice(range.start, range.end);
  const spacers = columns.length > columnsBeforeWindow;

  return (
    <tbody>
      {firstRow > 0 && <tr style={{ height: firstRow * rowHeight }} aria-hidden />}
      {rows.map((row, offset) => (
        <tr
          key={firstRow + offset}
          className={styles.row}
          style={{ height: rowHeight }}
          aria-rowindex={firstRow + offset + 2}
        >
          {spacers && range.start > 0 && <td className={styles.spacer} aria-hidden />}
          {shown.map((column, place) => {
            const index = range.start + place;
            const text = formatters[index]?.(row[index] ?? null) ?? '';
            return (
              <td
                key={index}
                className={styles.cell}
                data-kind={column.kind}
                aria-colindex={index + 1}
                title={text === '' ? undefined : text.slice(0, titleLimit)}
              >
                <MarkedText text={text} />
              </td>
            );
          })}
          {spacers && range.end < columns.length && <td className={styles.spacer} aria-hidden />}
        </tr>
      ))}
      {below > 0 && <tr style={{ height: below * rowHeight }} aria-hidden />}
    </tbody>
  );
}
