import { lazy, Suspense } from 'react';
import styles from './entity-grid.module.css';
import { GridItem, GridList, type GridCell, type GridContext } from './grid-parts';

interface EntityGridProps {
  label: string;
  cells: readonly GridCell[];
  /** The height of each card in pixels. */
  cardHeight: number;
  /** At most three side by side. */
  wide?: boolean | undefined;
  /** The height in pixels within which the grid scrolls, as in a dialog; if left out, the page scrolls. */
  height?: number | undefined;
}

/** Up to this number, all cards are rendered; above it only those in view, beginning with `initialItems`. */
const drawnAtOnce = 30;
const initialItems = 15;

// Loaded on demand: most lists are short and do not need it.
const VirtualGrid = lazy(() => import('./virtual-grid').then((loaded) => ({ default: loaded.VirtualGrid })));

/** Cards side by side: three, or six small ones in a wide space. If there are many, only those in view are rendered. */
export function EntityGrid({ label, cells, cardHeight, wide, height }: EntityGridProps) {
  const context = { label, cardHeight, wide };
  const first = <PlainGrid cells={cells.slice(0, initialItems)} context={context} height={height} />;
  if (cells.length <= drawnAtOnce) return <PlainGrid cells={cells} context={context} height={height} />;
  return (
    <Suspense fallback={first}>
      <VirtualGrid cells={cells} context={context} initialItems={initialItems} height={height} />
    </Suspense>
  );
}

interface PlainGridProps {
  cells: readonly GridCell[];
  context: GridContext;
  height: number | undefined;
}

function PlainGrid({ cells, context, height }: PlainGridProps) {
  const own = height === undefined ? {} : { className: styles.scroller, style: { maxHeight: height } };
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
