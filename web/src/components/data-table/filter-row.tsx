import { Text, TextField } from '@radix-ui/themes';
import { useEffect, useId, useRef } from 'react';
import { tableFilter as t } from '@/messages/table-filter';
import type { ColumnKind } from './column-kind';
import type { FilterProblem } from './filter';
import styles from './filter.module.css';
import type { TableColumn } from './table-of-rows';

interface FilterRowProps {
  columns: readonly TableColumn[];
  /** The indexes of the columns that are in the document. */
  shown: readonly number[];
  /** The widths of the columns that are left out after the first one and at the end, in px. */
  before: number;
  after: number;
  texts: readonly string[];
  problems: ReadonlyMap<number, FilterProblem>;
  onText: (column: number, text: string) => void;
  /** Leads to the first row. */
  onDown: (column: number) => void;
  takesFocus: () => boolean;
}

/** A row of inputs below the headings, one for each column. */
export function FilterRow(props: FilterRowProps) {
  const { columns, shown, before, after, takesFocus } = props;
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    if (takesFocus()) row.current?.querySelector('input')?.focus();
  });

  return (
    <tr ref={row} className={styles.row} aria-rowindex={2}>
      {shown.map((index) => {
        const column = columns[index];
        if (column === undefined) return null;
        const cell = <FilterCell key={index} {...props} index={index} column={column} />;
        return index === 0 && before > 0
          ? [cell, <td key="before" className={styles.spacer} aria-hidden />]
          : cell;
      })}
      {after > 0 && <td className={styles.spacer} aria-hidden />}
    </tr>
  );
}

interface FilterCellProps extends Pick<FilterRowProps, 'texts' | 'problems' | 'onText' | 'onDown'> {
  index: number;
  column: TableColumn;
}

function FilterCell({ index, column, texts, problems, onText, onDown }: FilterCellProps) {
  const id = useId();
  const problem = problems.get(index);
  const asked = askedOf(column.kind);
  return (
    <td className={styles.cell} data-first={index === 0} aria-colindex={index + 1}>
      <TextField.Root
        size="1"
        {...(problem !== undefined && { color: 'red', variant: 'soft' })}
        value={texts[index] ?? ''}
        placeholder={t(`short.${asked}`)}
        title={[t(`hint.${asked}`), hintOfEmpty()].join(' · ')}
        aria-label={t('input', { column: column.label })}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : id}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ currentTarget }) => {
          onText(index, currentTarget.value);
        }}
        onKeyDown={(event) => {
          // All other keys are for the text and not for the cells.
          event.stopPropagation();
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          onDown(index);
        }}
      />
      {problem !== undefined && (
        <Text as="p" size="1" color="red" id={id} className={styles.problem}>
          {t(`problem.${problem}`)}
        </Text>
      )}
    </td>
  );
}

/** Says what can be typed, for the kinds of columns that the table has. */
export function FilterHint({ columns }: { columns: readonly TableColumn[] }) {
  const kinds = [...new Set(columns.map(({ kind }) => askedOf(kind)))];
  return (
    <Text as="p" size="1" color="gray" className={styles.hint}>
      {[...kinds.map((kind) => t(`hint.${kind}`)), hintOfEmpty()].join(' · ')}
    </Text>
  );
}

function hintOfEmpty(): string {
  return t('hint.empty', { empty: t('empty'), filled: t('empty.not') });
}

function askedOf(kind: ColumnKind): 'text' | 'number' | 'time' {
  return kind === 'amount' ? 'number' : kind;
}
