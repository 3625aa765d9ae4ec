import { useMemo, useState } from 'react';
import { isNumeric, nextSort, type Sort, sortedPlaces } from './sort';
import type { ParsedTable } from './table-of-rows';
import type { ShownTable } from './table-reading';
import { type Filters, useReadFilters } from './use-filters';

/**
 * A table that is completely in memory, in the order that the reader has chosen for `data`, from which it was read.
 */
export function useRows(
  parsed: ParsedTable,
  data: unknown,
  filters: Filters,
  locale: string | undefined,
): ShownTable {
  const [sorted, setSorted] = useState<{ of: unknown; sort: Sort | null }>({ of: data, sort: null });
  const sort = sorted.of === data ? sorted.sort : null;
  const { columns, rows, cut } = parsed;
  const read = useReadFilters(filters, columns, locale);
  const { parts, conditions } = read;
  const sortedRows = useMemo(() => sortedPlaces(rows, sort), [rows, sort]);
  const places = useMemo(
    () => parts?.matchingPlaces(rows, sortedRows, conditions) ?? sortedRows,
    [parts, rows, sortedRows, conditions],
  );
  return {
    columns,
    cut,
    sort,
    filters: read,
    rowCount: places.length,
    allRows: rows.length,
    sample: rows.slice(0, 100),
    onSort: (column) => {
      setSorted({ of: data, sort: nextSort(sort, column, isNumeric(columns[column])) });
    },
    row: (place) => rows[places[place] ?? -1],
    want: () => undefined,
  };
}
