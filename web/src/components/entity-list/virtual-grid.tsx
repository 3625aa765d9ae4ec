import { VirtuosoGrid, type GridComponents } from 'react-virtuoso';
import { useScrollParent } from '@/lib/use-scroll-parent';
import styles from './entity-grid.module.css';
import { GridItem, GridList, type GridCell, type GridContext } from './grid-parts';

interface VirtualGridProps {
  cells: readonly GridCell[];
  context: GridContext;
  /** So many are drawn before anything has been measured. */
  initialItems: number;
  height: number | undefined;
}

/** A grid that draws only the cards in view. */
export function VirtualGrid({ cells, context, initialItems, height }: VirtualGridProps) {
  const [ref, parent] = useScrollParent();
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

const components = { List: GridList, Item: GridItem } as unknown as GridComponents<GridContext>;
