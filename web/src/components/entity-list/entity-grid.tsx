import type { ReactNode, Ref } from 'react';
import { VirtuosoGrid, type GridComponents, type GridItemProps, type GridListProps } from 'react-virtuoso';
import { useScrollParent } from '@/lib/use-scroll-parent';
import { moveByArrows } from './use-arrow-keys';
import styles from './entity-grid.module.css';

/** A card of the grid: its place in the list is drawn when it comes into view. */
export interface GridCell {
  readonly key: string;
  readonly render: () => ReactNode;
}

interface EntityGridProps {
  label: string;
  cells: readonly GridCell[];
  /** The height of each card in pixels. */
  cardHeight: number;
  /** The grid scrolls by itself within so many pixels, as in a dialog; left out, the page scrolls. */
  height?: number | undefined;
}

/** Up to so many cards all are drawn; of more only those in view, the first so many of them at once. */
const drawnAtOnce = 30;
const initialItems = 15;

/** Cards side by side: three, six where there is much room. Of many only those in view are drawn. */
export function EntityGrid({ label, cells, cardHeight, height }: EntityGridProps) {
  const [ref, parent] = useScrollParent();
  const context = { label, cardHeight };
  const own = height === undefined ? {} : { className: styles.scroller, style: { maxHeight: height } };
  if (cells.length <= drawnAtOnce) {
    return (
      <div {...own}>
        <div className={styles.container}>
          <GridList context={context}>
            {cells.map((cell, place) => (
              <GridItem key={cell.key} data-index={place} context={context}>
                {cell.render()}
              </GridItem>
            ))}
          </GridList>
        </div>
      </div>
    );
  }
  return (
    <div ref={ref} className={styles.container}>
      <VirtuosoGrid<GridCell, GridContext>
        // A grid that scrolls by itself has a height of its own; another waits to know what scrolls it.
        key={parent === null ? 'first' : 'placed'}
        {...(height === undefined
          ? parent === null
            ? { useWindowScroll: true }
            : { customScrollParent: parent }
          : { style: { height } })}
        data={cells}
        context={context}
        initialItemCount={Math.min(initialItems, cells.length)}
        increaseViewportBy={600}
        computeItemKey={(_, cell) => cell.key}
        itemContent={(_, cell) => cell.render()}
        components={components}
      />
    </div>
  );
}

interface GridContext {
  label: string;
  cardHeight: number;
}

type ListProps = Partial<GridListProps<HTMLUListElement>> & { context: GridContext };

function GridList({ context, children, style, ref, ...rest }: ListProps) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys only carry the focus from one link to the next
    <ul
      {...rest}
      ref={ref}
      style={style}
      className={styles.grid}
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

function GridItem({ context, children, className: _, ...rest }: ItemProps) {
  return (
    <li {...rest} className={styles.item} style={{ height: context.cardHeight }}>
      {children}
    </li>
  );
}

const components = { List: GridList, Item: GridItem } as unknown as GridComponents<GridContext>;
