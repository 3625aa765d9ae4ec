import { useEffect, useRef, useState } from 'react';
import type { ShownColumn } from '@/lib/wire';
import type { Cell } from './cell';
import { isNumeric, nextSort, type Sort } from './sort';
import { keyOf, type TableReply, type TableRequest } from './table-host';
import type { TableColumn } from './table-of-rows';
import type { TableReading } from './table-reading';
import { type Filters, useReadFilters } from './use-filters';

/** The part of a worker that is used here. */
export type TableWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>;
export type OpenWorker = () => TableWorker;

type Opened = Extract<TableReply, { kind: 'opened' }>;

/** How many rows are fetched at once: a block. */
const blockSize = 200;
/** How many blocks are kept: those around what is shown. */
const mostBlocks = 40;

const openOwn: OpenWorker = () =>
  new Worker(new URL('./table-worker.ts', import.meta.url), { type: 'module' });

interface LargeInput {
  /** Null if there is nothing to read. */
  text: string | null;
  truncated: boolean;
  shown: readonly (ShownColumn | null)[] | undefined;
  filters: Filters;
  locale: string | undefined;
  openWorker: OpenWorker | undefined;
}

interface State {
  of: string | null;
  opened: Opened | 'failed' | null;
  sort: Sort | null;
  /** The view that the worker answered for last; null before the first answer. */
  key: string | null;
  rowCount: number;
  /** Rows of that view by the number of their block. */
  blocks: ReadonlyMap<number, readonly Cell[][]>;
}

const nothing: State = { of: null, opened: null, sort: null, key: null, rowCount: 0, blocks: new Map() };
const noColumns: readonly TableColumn[] = [];

/** A table that a worker reads and keeps; the page has the blocks of rows that it shows. */
export function useLargeTable(input: LargeInput): TableReading {
  const { text, truncated, shown, filters, locale, openWorker = openOwn } = input;
  const [state, setState] = useState<State>(nothing);
  const worker = useRef<TableWorker | null>(null);
  const asked = useRef({ key: '', blocks: new Set<number>() });

  useEffect(() => {
    if (text === null) return undefined;
    const own = openWorker();
    worker.current = own;
    asked.current = { key: '', blocks: new Set() };
    own.onmessage = ({ data }: MessageEvent<TableReply>) => {
      setState((before) => take(before, text, data));
    };
    own.onerror = () => {
      setState({ ...nothing, of: text, opened: 'failed' });
    };
    own.postMessage({ kind: 'open', text, truncated, shown: shown ?? [] } satisfies TableRequest);
    return () => {
      worker.current = null;
      own.terminate();
    };
  }, [text, truncated, shown, openWorker]);

  const opened = state.of !== text || state.opened === 'failed' ? null : state.opened;
  const read = useReadFilters(filters, opened?.columns ?? noColumns, locale);

  if (state.of !== text || state.opened === null) return { status: 'reading' };
  if (state.opened === 'failed') return { status: 'failed' };
  const { columns, cut, sample } = state.opened;
  const { sort, blocks, rowCount } = state;
  const view = { sort, conditions: read.conditions };
  const key = keyOf(view);
  return {
    status: 'ready',
    table: {
      columns,
      rowCount,
      allRows: state.opened.rowCount,
      cut,
      sample,
      sort,
      onSort: (column) => {
        setState({ ...state, sort: nextSort(sort, column, isNumeric(columns[column])) });
      },
      filters: read,
      // The rows of the view before stay until those of the new one have come.
      row: (place) => blocks.get(Math.floor(place / blockSize))?.[place % blockSize],
      want: (start, end) => {
        if (asked.current.key !== key) asked.current = { key, blocks: new Set() };
        const { blocks: waited } = asked.current;
        const isHere = (block: number) => state.key === key && blocks.has(block);
        // Of a view in which nothing matches, one block is asked for all the same: it says how many rows there are.
        for (
          let block = Math.floor(start / blockSize);
          block * blockSize < Math.max(end, start + 1);
          block++
        ) {
          if (isHere(block) || waited.has(block)) continue;
          waited.add(block);
          const first = block * blockSize;
          worker.current?.postMessage({
            kind: 'rows',
            start: first,
            end: first + blockSize,
            view,
          } satisfies TableRequest);
        }
        // A block that was discarded may be requested again.
        for (const block of waited) if (isHere(block)) waited.delete(block);
      },
    },
  };
}

function take(before: State, text: string, reply: TableReply): State {
  switch (reply.kind) {
    case 'opened':
      return { ...nothing, of: text, opened: reply, rowCount: reply.rowCount };
    case 'failed':
      return { ...nothing, of: text, opened: 'failed' };
    case 'rows': {
      // The worker answers in turn, so rows of another view than before are those of a later one.
      const { key, rowCount } = reply;
      const blocks = new Map(key === before.key ? before.blocks : []);
      blocks.set(reply.start / blockSize, reply.rows);
      for (const block of blocks.keys()) {
        if (blocks.size <= mostBlocks) break;
        blocks.delete(block);
      }
      return { ...before, key, rowCount, blocks };
    }
  }
}
