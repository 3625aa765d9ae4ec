import { VisuallyHidden } from '@radix-ui/themes';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { entityList as t } from '@/messages/entity-list';
import type { EntityColumn, ListSort } from './entity';
import type { RowContext } from './entity-row';
import styles from './entity-table.module.css';

interface EntityTableHeadProps<T> {
  context: RowContext<T>;
  sort: ListSort | null;
  onSort: (sort: ListSort | null) => void;
}

/** The headings. A press sorts by one, a second press in the other direction, a third removes the sorting. */
export function EntityTableHead<T>({ context, sort, onSort }: EntityTableHeadProps<T>) {
  const { columns, selection, actions } = context;
  return (
    <tr>
      {selection && (
        <th scope="col" className={styles.choice}>
          <VisuallyHidden>{t('table.choice')}</VisuallyHidden>
        </th>
      )}
      {columns.map((column) => (
        <Heading
          key={column.id}
          column={column}
          sort={sort?.column === column.id ? sort : null}
          onSort={onSort}
        />
      ))}
      {actions && (
        <th scope="col" className={styles.actionsHead}>
          <VisuallyHidden>{t('table.actions')}</VisuallyHidden>
        </th>
      )}
    </tr>
  );
}

interface HeadingProps<T> {
  column: EntityColumn<T>;
  sort: ListSort | null;
  onSort: (sort: ListSort | null) => void;
}

function Heading<T>({ column, sort, onSort }: HeadingProps<T>) {
  const { id, label, width, align = 'start' } = column;
  const place = { 'data-align': align, ...(width !== undefined && { style: { width } }) };
  if (column.sort === undefined) {
    return (
      <th scope="col" {...place}>
        {label}
      </th>
    );
  }
  const next =
    sort === null
      ? { column: id, descending: false }
      : sort.descending
        ? null
        : { column: id, descending: true };
  const Icon = sort?.descending === true ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      {...place}
      aria-sort={sort === null ? 'none' : sort.descending ? 'descending' : 'ascending'}
    >
      <button type="button" className={styles.sort} onClick={() => onSort(next)}>
        {label}
        <Icon size={13} aria-hidden="true" className={styles.sortIcon} data-on={sort !== null} />
      </button>
    </th>
  );
}
