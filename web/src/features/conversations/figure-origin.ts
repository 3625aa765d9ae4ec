import { cellFormatter } from '@/components/data-table/format-cell';
import { parseTable } from '@/components/data-table/parse-table';
import type { ParsedTable, TableColumn } from '@/components/data-table/table-of-rows';
import type { FigureOrigin } from '@/components/transcript/figure-popover';
import type { Figure } from '@/components/transcript/message';
import type { FigureView } from '@/components/transcript/turn-actions';
import { formatCount } from '@/lib/format';
import { figureOrigin as t } from '@/messages/figure-origin';

/** The number of cells of a sum that are listed; for the rest only their number is shown. */
const listed = 6;

/** A table with the column that contains the number. */
interface Of {
  figure: Figure;
  table: string;
  parsed: ParsedTable;
  column: TableColumn;
  write: (value: number) => string;
}

/**
 * The origin of a figure, from the table's text. If the text was cut, a figure that is beyond the cut or needs all
 * rows is `cut`.
 */
export function figureOrigin(
  { figure, object }: FigureView,
  text: string,
  truncated: boolean,
): FigureOrigin | 'failed' | 'cut' {
  const parsed = parseTable(text, { truncated, shown: object?.columns });
  const column = parsed.columns[figure.column];
  if (column === undefined) return 'failed';
  if (parsed.rows[figure.row] === undefined) return truncated ? 'cut' : 'failed';
  const table = object?.name.replace(/\.csv$/u, '') ?? '';
  const of: Of = { figure, table, parsed, column, write: cellFormatter(column) };
  switch (figure.of) {
    case undefined:
      return theRow(of);
    case 'difference':
    case 'change':
    case 'times':
      return compared(of, figure.of);
    case 'rows':
    case 'sum':
    case 'groupSum':
    case 'share':
      // A result of all rows cannot be shown from some of them.
      return truncated ? 'cut' : ofAll(of, figure.of);
  }
}

function theRow({ figure, table, parsed }: Of): FigureOrigin {
  return {
    caption: t('row', { row: formatCount(figure.row + 1), table }),
    cells: parsed.columns.map((column, at) => ({
      name: column.label,
      value: cellFormatter(column)(parsed.rows[figure.row]?.[at] ?? null),
      pointed: at === figure.column,
    })),
  };
}

function compared(of: Of, how: 'difference' | 'change' | 'times'): FigureOrigin | 'failed' {
  const { figure, table, column, write } = of;
  const other = figure.other ?? 0;
  const [value, base] = [numberAt(of, figure.row), numberAt(of, other)];
  if (value === null || base === null) return 'failed';
  const named = { column: column.label, table };
  return {
    caption:
      how === 'difference'
        ? t('difference', {
            ...named,
            more: write(Math.max(value, base)),
            less: write(Math.min(value, base)),
          })
        : t(how === 'change' ? 'change' : 'times', {
            ...named,
            value: write(value),
            base: write(base),
          }),
    cells: [figure.row, other].map((row) => cellOf(of, row)),
  };
}

function ofAll(of: Of, how: 'rows' | 'sum' | 'groupSum' | 'share'): FigureOrigin | 'failed' {
  const { figure, table, parsed, column, write } = of;
  if (how === 'rows') return { caption: t('rows', { table }), cells: [] };
  const by = figure.other ?? 0;
  const same = parsed.rows[figure.row]?.[by] ?? null;
  const rows = [...parsed.rows.keys()].filter((row) => how !== 'groupSum' || parsed.rows[row]?.[by] === same);
  const total = write(Number(rows.reduce((sum, row) => sum + (numberAt(of, row) ?? 0), 0).toPrecision(14)));
  const named = { column: column.label, table, count: rows.length };
  if (how === 'share') {
    const cell = cellOf(of, figure.row);
    return {
      caption: t('share', { ...named, part: cell.value, total }),
      cells: [cell, { name: t('all'), value: total, pointed: false }],
    };
  }
  const group = parsed.columns[by];
  if (group === undefined) return 'failed';
  return {
    caption:
      how === 'sum'
        ? t('sum', named)
        : t('groupSum', { ...named, by: group.label, value: cellFormatter(group)(same) }),
    cells: [
      ...rows.slice(0, listed).map((row) => cellOf(of, row)),
      ...(rows.length > listed
        ? [{ name: t('others', { count: rows.length - listed }), value: '…', pointed: false }]
        : []),
      { name: t('total'), value: total, pointed: true },
    ],
  };
}

function numberAt({ figure, parsed }: Of, row: number): number | null {
  const cell = parsed.rows[row]?.[figure.column] ?? null;
  return typeof cell === 'number' ? cell : null;
}

/** A cell of the figure's column, named by its row: by the values of the columns before it that are not numbers. */
function cellOf(of: Of, row: number) {
  const { figure, parsed, write } = of;
  const names = parsed.columns
    .slice(0, figure.column)
    .map((column, at) =>
      column.kind === 'number' ? '' : cellFormatter(column)(parsed.rows[row]?.[at] ?? null),
    )
    .filter((name) => name !== '');
  const value = numberAt(of, row);
  return {
    name: names.join(', ') || t('rowNumber', { row: formatCount(row + 1) }),
    value: value === null ? '' : write(value),
    pointed: false,
  };
}
