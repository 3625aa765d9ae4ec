import { MarkedText } from '@/components/code-block/marked-text';
import { Fragment } from 'react';
import type { Cell } from './cell';
import styles from './data-table.module.css';
import type { CellFormatter } from './format-cell';
import { rowHeight, titleLimit } from './geometry';
import type { TableColumn } from './table-of-rows';
import type { CellPlace } from './use-cell-keys';
import type { Range } from './windows';

interface TableBodyProps {
  columns: readonly TableColumn[];
  row: (place: number) => readonly Cell[] | undefined;
  /** The rows that are in the document. */
  rows: Range;
  rowCount: number;
  /** The number of rows above them in the head of the table. */
  headRows: number;
  /** The columns that are in the document in addition to the first one. */
  range: Range;
  formatters: readonly CellFormatter[];
  /** How a column's text is cut if it does not fit. */
  shorteners: readonly ((text: string) => string)[];
  stop: CellPlace;
  onFocusCell: (place: CellPlace) => void;
}

/** The rows in view, between two empty rows that keep the scroll bar correct. */
export function TableBody({
  columns,
  row,
  rows,
  rowCount,
  headRows,
  range,
  formatters,
  shorteners,
  stop,
  onFocusCell,
}: TableBodyProps) {
  const below = rowCount - rows.end;
  const shown = [0, ...Array.from({ length: range.end - range.start }, (_, place) => range.start + place)];

  return (
    <tbody>
      {rows.start > 0 && <tr style={{ height: rows.start * rowHeight }} aria-hidden />}
      {Array.from({ length: rows.end - rows.start }, (_, offset) => {
        const place = rows.start + offset;
        const cells = row(place);
        return (
          <tr
            key={place}
            className={styles.row}
            style={{ height: rowHeight }}
            aria-rowindex={place + headRows + 1}
          >
            {shown.map((index) => {
              const column = columns[index];
              if (column === undefined) return null;
              const text = cells === undefined ? '' : (formatters[index]?.(cells[index] ?? null) ?? '');
              const shown = text.length > titleLimit ? text : (shorteners[index]?.(text) ?? text);
              return (
                <Fragment key={index}>
                  <td
                    role="gridcell"
                    className={styles.cell}
                    data-kind={column.kind}
                    data-first={index === 0}
                    data-waits={cells === undefined}
                    data-blank={cells !== undefined && text === ''}
                    data-place={`${String(place)}:${String(index)}`}
                    tabIndex={stop.row === place && stop.column === index ? 0 : -1}
                    aria-colindex={index + 1}
                    aria-label={shown === text ? undefined : text.slice(0, titleLimit)}
                    title={text === '' ? undefined : text.slice(0, titleLimit)}
                    onFocus={() => {
                      onFocusCell({ row: place, column: index });
                    }}
                  >
                    <MarkedText text={shown} />
                  </td>
                  {index === 0 && range.start > 1 && <td className={styles.spacer} aria-hidden />}
                </Fragment>
              );
            })}
            {range.end < columns.length && <td className={styles.spacer} aria-hidden />}
          </tr>
        );
      })}
      {below > 0 && <tr style={{ height: below * rowHeight }} aria-hidden />}
    </tbody>
  );
}
