import type { ShownColumn } from '@/lib/wire';
import type { Cell } from './cell';
import { type ColumnCondition, matchingPlaces } from './filter-rows';
import { parseTable } from './parse-table';
import type { ParsedTable, TableColumn } from './table-of-rows';
import { type Sort, sortedPlaces } from './sort';

/** Which rows of a table are shown, and in which order. */
export interface TableView {
  sort: Sort | null;
  conditions: readonly ColumnCondition[];
}

/** Views with the same key have the same rows. */
export function keyOf(view: TableView): string {
  return JSON.stringify([view.sort, view.conditions]);
}

/** The requests of a page to the worker that keeps a large table. */
export type TableRequest =
  | { kind: 'open'; text: string; truncated: boolean; shown: readonly (ShownColumn | null)[] }
  | { kind: 'rows'; start: number; end: number; view: TableView };

/** Its answers. */
export type TableReply =
  | {
      kind: 'opened';
      columns: readonly TableColumn[];
      rowCount: number;
      cut: boolean;
      sample: readonly Cell[][];
    }
  /** Rows of the view with this key, and how many it has in all. */
  | { kind: 'rows'; start: number; rows: readonly Cell[][]; rowCount: number; key: string }
  | { kind: 'failed' };

const sampleSize = 100;

/**
 * Keeps a large table and answers for rows of it. It runs in a worker: reading, sorting and filtering a million rows
 * there does not block the page, which receives only the rows that it shows.
 */
export function tableHost(reply: (message: TableReply) => void): (request: TableRequest) => void {
  let table: ParsedTable | null = null;
  let order: { sort: Sort | null; places: number[] } | null = null;
  let shown: { key: string; places: number[] } | null = null;

  return (request) => {
    try {
      if (request.kind === 'open') {
        table = parseTable(request.text, { truncated: request.truncated, shown: request.shown });
        order = null;
        shown = null;
        const { columns, rows, cut } = table;
        reply({ kind: 'opened', columns, rowCount: rows.length, cut, sample: rows.slice(0, sampleSize) });
        return;
      }
      if (table === null) return;
      const { rows } = table;
      const { start, end, view } = request;
      const { sort, conditions } = view;
      // The order of all rows is kept, so that typing a filter does not sort them again.
      if (
        order === null ||
        order.sort?.column !== sort?.column ||
        order.sort?.descending !== sort?.descending
      )
        order = { sort, places: sortedPlaces(rows, sort) };
      const key = keyOf(view);
      if (shown?.key !== key) shown = { key, places: matchingPlaces(rows, order.places, conditions) };
      const { places } = shown;
      reply({
        kind: 'rows',
        start,
        rows: places.slice(start, end).map((place) => rows[place] ?? []),
        rowCount: places.length,
        key,
      });
    } catch {
      reply({ kind: 'failed' });
    }
  };
}
