import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react';
import { MarkedText } from '@/components/code-block/marked-text';
import { Tooltip } from '@/components/tooltip/tooltip';
import { unitSign } from '@/lib/quantity';
import { table as t } from '@/messages/table';
import styles from './data-table.module.css';
import { headerHeight } from './geometry';
import type { TableColumn } from './table-of-rows';
import type { Sort } from './sort';
import type { ShownFilters } from './use-filters';
import type { CellPlace } from './use-cell-keys';
import type { Range } from './windows';

interface TableHeadProps {
  columns: readonly TableColumn[];
  widths: readonly number[];
  /** The columns that are in the document in addition to the first one. */
  range: Range;
  sort: Sort | null;
  onSort: (index: number) => void;
  filters: ShownFilters;
  /** Leads from an input to the first row. */
  onDown: (column: number) => void;
  /** The cell that Tab leads to. */
  stop: CellPlace;
}

/** Headings that stay visible, each with a button that sorts, and below them the inputs that filter. */
export function TableHead(props: TableHeadProps) {
  const { columns, widths, range, sort, onSort, filters, onDown, stop } = props;
  const before = sum(widths, 1, range.start);
  const after = sum(widths, range.end, widths.length);
  const shown =
    columns.length === 0
      ? []
      : [0, ...Array.from({ length: range.end - range.start }, (_, i) => range.start + i)];

  return (
    <thead>
      <tr style={{ height: headerHeight }} aria-rowindex={1}>
        {shown.map((index) => {
          const column = columns[index];
          if (column === undefined) return null;
          const direction = sort?.column === index ? (sort.descending ? 'descending' : 'ascending') : 'none';
          const heading = (
            <th
              key={index}
              scope="col"
              className={styles.head}
              style={{ width: widths[index] }}
              data-kind={column.kind}
              data-first={index === 0}
              aria-colindex={index + 1}
              aria-sort={direction}
            >
              <HeadButton
                column={column}
                direction={direction}
                place={`-1:${String(index)}`}
                isStop={stop.row === -1 && stop.column === index}
                onSort={() => {
                  onSort(index);
                }}
              />
            </th>
          );
          return index === 0 && before > 0
            ? [heading, <td key="before" className={styles.spacer} style={{ width: before }} aria-hidden />]
            : heading;
        })}
        {after > 0 && <td className={styles.spacer} style={{ width: after }} aria-hidden />}
      </tr>
      {filters.open && filters.parts !== null && (
        <filters.parts.FilterRow
          columns={columns}
          shown={shown}
          before={before}
          after={after}
          texts={filters.texts}
          problems={filters.problems}
          onText={filters.onText}
          onDown={onDown}
          takesFocus={filters.takesFocus}
        />
      )}
    </thead>
  );
}

interface HeadButtonProps {
  column: TableColumn;
  direction: 'ascending' | 'descending' | 'none';
  place: string;
  isStop: boolean;
  onSort: () => void;
}

function HeadButton({ column, direction, place, isStop, onSort }: HeadButtonProps) {
  const unit = unitSign(column);
  // Money and shares have their sign at each number, so the heading does not repeat it.
  const button = (
    <button
      type="button"
      className={styles.sort}
      data-place={place}
      tabIndex={isStop ? 0 : -1}
      onClick={onSort}
    >
      <span className={styles.name}>
        <MarkedText text={column.label} />
      </span>
      {direction === 'ascending' && <ArrowUp size={12} aria-hidden className={styles.sorted} />}
      {direction === 'descending' && <ArrowDown size={12} aria-hidden className={styles.sorted} />}
      {direction === 'none' && <ChevronsUpDown size={12} aria-hidden className={styles.unsorted} />}
    </button>
  );
  if (column.name === column.label && unit === '') return button;
  const facts = [column.label, ...(unit === '' ? [] : [unit]), t('sql', { name: column.name })];
  return <Tooltip content={facts.join(' · ')}>{button}</Tooltip>;
}

function sum(widths: readonly number[], from: number, to: number): number {
  return widths.slice(from, to).reduce((total, width) => total + width, 0);
}
