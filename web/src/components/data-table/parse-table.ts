import Papa from 'papaparse';
import type { ShownColumn } from '@/lib/wire';
import { type ParsedTable, type RawTable, type TableData, tableOf, tableOfRows } from './table-of-rows';

/** Reads CSV text or rows. With `truncated`, text that was cut anywhere loses its broken end. */
export function parseTable(
  data: string | TableData,
  options: { truncated?: boolean | undefined; shown?: readonly (ShownColumn | null)[] | undefined } = {},
): ParsedTable {
  const said = options.shown ?? [];
  if (typeof data !== 'string') return tableOfRows(data, data.shown ?? said);
  const read = readCsv(data, options.truncated ?? false);
  // If the description is of other columns, it is not used.
  const fits = said.every((column, index) => column?.name === read.names[index]);
  return tableOf(read, fits ? said : []);
}

function readCsv(text: string, truncated: boolean): RawTable {
  const parsed = Papa.parse<string[]>(text.replace(/^\ufeff/u, ''), { skipEmptyLines: 'greedy' });
  const lines = parsed.data;
  const cut = truncated && !/[\r\n]$/u.test(text) && lines.length > 0;
  // The row that was cut is dropped completely, including half a character at its end.
  if (cut) {
    if (lines.length > 1) lines.pop();
    else lines[0]?.pop();
  }
  return { names: lines[0] ?? [], raw: lines.slice(1), cut };
}
