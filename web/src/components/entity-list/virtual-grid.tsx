import { VirtuosoGrid, type GridComponents } from 'react-virtuoso';
import { useScroller } from '@/lib/use-scroller';
import styles from './entity-grid.module.css';
import { GridItem, GridList, type GridCell, type GridContext } from './grid-parts';

interface VirtualGridProps {
  cells: readonly GridCell[];
  context: GridContext;
  /** The number of cards that are rendered before anything has been measured. */
  initialItems: number;
  height: number | undefined;
}

/** A grid that renders only the cards in view. */
export function VirtualGrid({ cells, context, initialItems, height }: VirtualGridProps) {
  const { ref, key, scroller } = useScroller(height);
  return (
    <div ref={ref} className={styles.container}>
      <VirtuosoGrid<GridCell, GridContext>
        key={key}
        {...scroller}
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
