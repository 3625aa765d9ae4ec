import { useMemo, useState } from 'react';
import type { ShownColumn } from '@/lib/wire';
import { parseTable, type TableData } from './parse-table';
import type { ShownTable, TableReading } from './table-reading';
import { nextSort, type Sort, sortedPlaces } from './sort';
import { type OpenWorker, useLargeTable } from './use-large-table';

/** Texts from this length on are read in a worker: less takes the page a few milliseconds. */
const largeText = 512 * 1024;

interface TableInput {
  data: string | TableData;
  truncated: boolean;
  shown: readonly (ShownColumn | null)[] | undefined;
  /** For tests, which have no workers. */
  openWorker?: OpenWorker | undefined;
}

/** Reads a table: at once where it is small, in a worker where that would hold up the page. */
export function useTable({ data, truncated, shown, openWorker }: TableInput): TableReading {
  const text = typeof data === 'string' && data.length >= largeText ? data : null;
  const large = useLargeTable({ text, truncated, shown, openWorker });
  const small = useSmallTable(text === null ? data : '', truncated, shown);
  return text === null ? { status: 'ready', table: small } : large;
}

function useSmallTable(
  data: string | TableData,
  truncated: boolean,
  shown: readonly (ShownColumn | null)[] | undefined,
): ShownTable {
  const parsed = useMemo(() => parseTable(data, { truncated, shown }), [data, truncated, shown]);
  const [sorted, setSorted] = useState<{ of: unknown; sort: Sort | null }>({ of: data, sort: null });
  const sort = sorted.of === data ? sorted.sort : null;
  const { columns, rows, cut } = parsed;
  const places = useMemo(() => sortedPlaces(rows, sort), [rows, sort]);
  return {
    columns,
    cut,
    sort,
    rowCount: rows.length,
    sample: rows.slice(0, 100),
    onSort: (column) => {
      setSorted({ of: data, sort: nextSort(sort, column, columns[column]?.kind === 'number') });
    },
    row: (place) => rows[places[place] ?? -1],
    want: () => undefined,
  };
}
