import { useMemo } from 'react';
import type { ShownColumn } from '@/lib/wire';
import { parseTable } from './parse-table';
import type { TableData } from './table-of-rows';
import type { TableReading } from './table-reading';
import { type OpenWorker, useLargeTable } from './use-large-table';
import { useFilters } from './use-filters';
import { useRows } from './use-rows';

/** Texts of at least this length are read in a worker: shorter ones take a few milliseconds. */
const largeText = 512 * 1024;

interface TableInput {
  data: string | TableData;
  truncated: boolean;
  shown: readonly (ShownColumn | null)[] | undefined;
  locale: string | undefined;
  /** For tests, which have no workers. */
  openWorker?: OpenWorker | undefined;
}

/** Reads a table: at once if it is small, in a worker if that would block the page. */
export function useTable({ data, truncated, shown, locale, openWorker }: TableInput): TableReading {
  const text = typeof data === 'string' && data.length >= largeText ? data : null;
  const filters = useFilters();
  const large = useLargeTable({ text, truncated, shown, filters, locale, openWorker });
  const here = text === null ? data : '';
  const parsed = useMemo(() => parseTable(here, { truncated, shown }), [here, truncated, shown]);
  const small = useRows(parsed, here, filters, locale);
  return text === null ? { status: 'ready', table: small } : large;
}
