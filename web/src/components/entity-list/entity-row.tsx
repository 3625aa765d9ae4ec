import { Checkbox, Radio } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { entityList as t } from '@/messages/entity-list';
import type { Entity, EntityColumn, EntityOpening, EntitySelection } from './entity';
import { mainMark } from './use-arrow-keys';
import styles from './entity-table.module.css';

/** The props that all rows of a table share. */
export interface RowContext<T> {
  columns: readonly EntityColumn<T>[];
  open: ((item: T) => EntityOpening) | undefined;
  selection: EntitySelection | undefined;
  actions: ((item: T) => ReactNode) | undefined;
}

interface EntityRowProps<T extends Entity> {
  item: T;
  context: RowContext<T>;
}

/** The cells of one row. */
export function EntityRow<T extends Entity>({ item, context }: EntityRowProps<T>) {
  const { columns, open, selection, actions } = context;
  const [first, ...others] = columns;
  return (
    <>
      {selection && (
        <td className={styles.choice}>
          <RowChoice item={item} selection={selection} />
        </td>
      )}
      {first && (
        <th scope="row" className={styles.name}>
          <RowMain opening={selection ? null : (open?.(item) ?? null)} title={item.name}>
            {first.cell(item)}
          </RowMain>
        </th>
      )}
      {others.map((column) => (
        <td key={column.id} data-align={column.align ?? 'start'}>
          <div className={styles.cell}>{column.cell(item)}</div>
        </td>
      ))}
      {actions && (
        <td className={styles.actions}>
          <div>{actions(item)}</div>
        </td>
      )}
    </>
  );
}

function RowChoice({ item, selection }: { item: Entity; selection: EntitySelection }) {
  const { selected, disabled = [], locked = [], single = false, onToggle } = selection;
  const chosen = selected.includes(item.id);
  const props = {
    ...mainMark,
    'aria-label': t('choose', { name: item.name }),
    checked: chosen,
    disabled: disabled.includes(item.id) || locked.includes(item.id),
  };
  if (single) return <Radio {...props} value={String(item.id)} onValueChange={() => onToggle(item.id)} />;
  return <Checkbox {...props} onCheckedChange={() => onToggle(item.id)} />;
}

interface RowMainProps {
  opening: EntityOpening | null;
  title: string;
  children: ReactNode;
}

function RowMain({ opening, title, children }: RowMainProps) {
  const main = { ...mainMark, className: styles.main, title };
  if (opening === null) {
    return (
      <span className={styles.main} title={title}>
        {children}
      </span>
    );
  }
  if ('to' in opening) {
    return (
      <Link to={opening.to} {...main}>
        {children}
      </Link>
    );
  }
  return (
    <button type="button" {...main} disabled={opening.disabled} onClick={opening.onOpen}>
      {children}
    </button>
  );
}
