import { useEffect, useRef, useState } from 'react';
import type { ShownColumn } from '@/lib/wire';
import type { Cell } from './cell';
import { isNumeric, nextSort, type Sort } from './sort';
import type { TableReply, TableRequest } from './table-host';
import type { TableReading } from './table-reading';

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
  openWorker: OpenWorker | undefined;
}

interface State {
  of: string | null;
  opened: Opened | 'failed' | null;
  sort: Sort | null;
  /** Rows by the number of their block, in sort order. */
  blocks: ReadonlyMap<number, readonly Cell[][]>;
}

const nothing: State = { of: null, opened: null, sort: null, blocks: new Map() };

/** A table that a worker reads and keeps; the page has the blocks of rows that it shows. */
export function useLargeTable({ text, truncated, shown, openWorker = openOwn }: LargeInput): TableReading {
  const [state, setState] = useState<State>(nothing);
  const worker = useRef<TableWorker | null>(null);
  const asked = useRef(new Set<number>());

  useEffect(() => {
    if (text === null) return undefined;
    const own = openWorker();
    worker.current = own;
    asked.current = new Set();
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

  if (state.of !== text || state.opened === null) return { status: 'reading' };
  if (state.opened === 'failed') return { status: 'failed' };
  const { columns, rowCount, cut, sample } = state.opened;
  const { sort, blocks } = state;
  return {
    status: 'ready',
    table: {
      columns,
      rowCount,
      cut,
      sample,
      sort,
      onSort: (column) => {
        asked.current = new Set();
        setState({
          ...state,
          sort: nextSort(sort, column, isNumeric(columns[column])),
          blocks: new Map(),
        });
      },
      row: (place) => blocks.get(Math.floor(place / blockSize))?.[place % blockSize],
      want: (start, end) => {
        for (let block = Math.floor(start / blockSize); block * blockSize < end; block++) {
          if (blocks.has(block) || asked.current.has(block)) continue;
          asked.current.add(block);
          const first = block * blockSize;
          worker.current?.postMessage({
            kind: 'rows',
            start: first,
            end: first + blockSize,
            sort,
          } satisfies TableRequest);
        }
        // A block that was discarded may be requested again.
        for (const block of asked.current) if (blocks.has(block)) asked.current.delete(block);
      },
    },
  };
}

function take(before: State, text: string, reply: TableReply): State {
  switch (reply.kind) {
    case 'opened':
      return { of: text, opened: reply, sort: null, blocks: new Map() };
    case 'failed':
      return { ...nothing, of: text, opened: 'failed' };
    case 'rows': {
      // Rows in a sort order that has been changed meanwhile are of no use.
      if (reply.sort?.column !== before.sort?.column || reply.sort?.descending !== before.sort?.descending)
        return before;
      const blocks = new Map(before.blocks);
      blocks.set(reply.start / blockSize, reply.rows);
      for (const block of blocks.keys()) {
        if (blocks.size <= mostBlocks) break;
        blocks.delete(block);
      }
      return { ...before, blocks };
    }
  }
}
