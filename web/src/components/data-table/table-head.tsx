import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';

import { MarkedText } from '../code-block';
import styles from './data-table.module.css';
import type { Range } from './geometry';
import type { TableColumn } from './parse-table';

type Sort = false | 'asc' | 'desc';

/** Props of {@link TableHead}. */
export interface TableHeadProps {
  columns: readonly TableColumn[];
  widths: readonly number[];
  /** The columns that are in the document. */
  range: Range;
  height: number;
  sortOf: (index: number) => Sort;
  onSort: (index: number) => void;
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const;

/** Column names that stay in sight, each a button that sorts. */
export function TableHead({ columns, widths, range, height, sortOf, onSort }: TableHeadProps) {
  const before = sum(widths, 0, range.start);
  const after = sum(widths, range.end, widths.length);
  const shown = columns.slice(range.start, range.end);

  return (
    <thead>
      <tr style={{ height }} aria-rowindex={1}>
        {before > 0 && <td className={styles.spacer} style={{ width: before }} aria-hidden />}
        {shown.map((column, offset) => {
          const index = range.start + offset;
          const sort = sortOf(index);
          return (
            <th
              key={index}
              scope="col"
              className={styles.head}
              style={{ width: widths[index] }}
              data-kind={column.kind}
              aria-colindex={index + 1}
              aria-sort={sort === false ? 'none' : ariaSort[sort]}
            >
              <button
                type="button"
                className={styles.sort}
                title={column.name}
                onClick={() => {
                  onSort(index);
                }}
              >
                <span className={styles.name}>
                  <MarkedText text={column.name} />
                </span>
                <SortIcon sort={sort} />
              </button>
            </th>
          );
        })}
        {after > 0 && <td className={styles.spacer} style={{ width: after }} aria-hidden />}
      </tr>
    </thead>
  );
}

function SortIcon({ sort }: { sort: Sort }) {
  if (sort === 'asc') return <ArrowUp size={12} aria-hidden className={styles.sorted} />;
  if (sort === 'desc') return <ArrowDown size={12} aria-hidden className={styles.sorted} />;
  return <ChevronsUpDown size={12} aria-hidden className={styles.unsorted} />;
}

function sum(widths: readonly number[], from: number, to: number): number {
  return widths.slice(from, to).reduce((total, width) => total + width, 0);
}
