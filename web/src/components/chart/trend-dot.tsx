import styles from './chart.module.css';
import { trendColor } from './trend-options';

/** The colour of a line next to its name. It is decorative. */
export function TrendDot({ color }: { color: number }) {
  return (
    <span className={styles.dot} style={{ ['--dot' as string]: trendColor(color) }} aria-hidden="true" />
  );
}
