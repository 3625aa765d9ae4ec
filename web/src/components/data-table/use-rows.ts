import { useMemo, useState } from 'react';
import { isNumeric, nextSort, type Sort, sortedPlaces } from './sort';
import type { ParsedTable } from './table-of-rows';
import type { ShownTable } from './table-reading';

/**
 * A table that is completely in memory, in the order that the reader has chosen for `data`, from which it was read.
 */
export function useRows(parsed: ParsedTable, data: unknown): ShownTable {
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
      setSorted({ of: data, sort: nextSort(sort, column, isNumeric(columns[column])) });
    },
    row: (place) => rows[places[place] ?? -1],
    want: () => undefined,
  };
}
