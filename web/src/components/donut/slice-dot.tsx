import styles from './donut.module.css';
import { sliceStyle } from './slice-color';

/** The colour of a row in the ring beside it. It says nothing that the row does not say. */
export function SliceDot({ color }: { color: number | string | null }) {
  return <span className={styles.dot} style={sliceStyle(color)} aria-hidden="true" />;
}
