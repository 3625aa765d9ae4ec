import type { ShownColumn } from '@/lib/wire';
import type { Cell } from './cell';
import { parseTable } from './parse-table';
import type { ParsedTable, TableColumn } from './table-of-rows';
import { type Sort, sortedPlaces } from './sort';

/** The requests of a page to the worker that keeps a large table. */
export type TableRequest =
  | { kind: 'open'; text: string; truncated: boolean; shown: readonly (ShownColumn | null)[] }
  | { kind: 'rows'; start: number; end: number; sort: Sort | null };

/** Its answers. */
export type TableReply =
  | {
      kind: 'opened';
      columns: readonly TableColumn[];
      rowCount: number;
      cut: boolean;
      sample: readonly Cell[][];
    }
  | { kind: 'rows'; start: number; rows: readonly Cell[][]; sort: Sort | null }
  | { kind: 'failed' };

const sampleSize = 100;

/**
 * Keeps a large table and answers for rows of it. It runs in a worker: reading and sorting a million rows there
 * does not block the page, which receives only the rows that it shows.
 */
export function tableHost(reply: (message: TableReply) => void): (request: TableRequest) => void {
  let table: ParsedTable | null = null;
  let order: { sort: Sort | null; places: number[] } | null = null;

  return (request) => {
    try {
      if (request.kind === 'open') {
        table = parseTable(request.text, { truncated: request.truncated, shown: request.shown });
        order = null;
        const { columns, rows, cut } = table;
        reply({ kind: 'opened', columns, rowCount: rows.length, cut, sample: rows.slice(0, sampleSize) });
        return;
      }
      if (table === null) return;
      const { rows } = table;
      const { sort, start, end } = request;
      if (
        order === null ||
        order.sort?.column !== sort?.column ||
        order.sort?.descending !== sort?.descending
      )
        order = { sort, places: sortedPlaces(rows, sort) };
      const places = order.places.slice(start, end);
      reply({ kind: 'rows', start, sort, rows: places.map((place) => rows[place] ?? []) });
    } catch {
      reply({ kind: 'failed' });
    }
  };
}
