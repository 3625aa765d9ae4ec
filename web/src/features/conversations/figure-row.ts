import { cellFormatter } from '@/components/data-table/format-cell';
import { parseTable } from '@/components/data-table/parse-table';
import type { FigureRow } from '@/components/transcript/figure-popover';
import type { FigureView } from '@/components/transcript/turn-actions';

/** The row of a figure, from the table's text. A row beyond what there is of the text is not there. */
export function figureRow(
  { figure, object }: FigureView,
  text: string,
  truncated: boolean,
): FigureRow | 'failed' {
  const { columns, rows } = parseTable(text, { truncated, shown: object?.columns });
  const row = rows[figure.row];
  if (row === undefined || columns[figure.column] === undefined) return 'failed';
  return {
    table: object?.name.replace(/\.csv$/u, '') ?? '',
    row: figure.row,
    column: figure.column,
    cells: columns.map((column, at) => ({
      name: column.label,
      value: cellFormatter(column)(row[at] ?? null),
    })),
  };
}
