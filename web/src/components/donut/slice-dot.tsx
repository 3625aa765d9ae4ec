import styles from './donut.module.css';
import { sliceStyle } from './slice-color';

/** The colour of a row in the ring next to it. It is decorative. */
export function SliceDot({ color }: { color: number | string | null }) {
  return <span className={styles.dot} style={sliceStyle(color)} aria-hidden="true" />;
}
