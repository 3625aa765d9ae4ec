import type { ReactNode, Ref } from 'react';
import type { GridItemProps, GridListProps } from 'react-virtuoso';
import styles from './entity-grid.module.css';
import { moveByArrows } from './use-arrow-keys';

/** A card of the grid, by its index in the list; it is rendered when it comes into view. */
export interface GridCell {
  readonly key: string;
  readonly render: () => ReactNode;
}

/** The props of the list and its entries. */
export interface GridContext {
  label: string;
  /** The height of each card, in pixels. */
  cardHeight: number;
  /** At most three side by side. */
  wide: boolean | undefined;
}

type ListProps = Partial<GridListProps<HTMLUListElement>> & { context: GridContext };

/** The list of the cards. */
export function GridList({ context, children, style, ref, ...rest }: ListProps) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys only carry the focus from one link to the next
    <ul
      {...rest}
      ref={ref}
      style={style}
      className={styles.grid}
      data-wide={context.wide}
      aria-label={context.label}
      onKeyDown={moveByArrows}
    >
      {children}
    </ul>
  );
}

type ItemProps = Omit<Partial<GridItemProps>, 'ref'> & {
  ref?: Ref<HTMLLIElement>;
  context: GridContext;
  children?: ReactNode;
};

/** The place of one card. */
export function GridItem({ context, children, className: _, ...rest }: ItemProps) {
  return (
    <li {...rest} className={styles.item} style={{ height: context.cardHeight }}>
      {children}
    </li>
  );
}
