import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import styles from './donut.module.css';
import { sliceStyle } from './slice-color';

interface DonutSlice {
  readonly key: string;
  readonly name: string;
  /** In percent of the whole ring. */
  readonly percent: number;
  /** One of the eight colours by its number, a CSS colour, or `null` for what remains. */
  readonly color: number | string | null;
}

interface DonutProps {
  slices: readonly DonutSlice[];
  /** What it shows, for those who do not see it; the table beside it has the figures. */
  label: string;
  /** A part as its tooltip says it, such as `Spring: 12 %`. */
  describe: (slice: DonutSlice) => string;
  /** Stands in the middle. */
  children?: ReactNode;
}

/** A radius at which the ring is 100 long, so that percents are lengths. */
const radius = 100 / (2 * Math.PI);

/** Shares of a whole as a ring. Twenty lines of SVG: a chart library would weigh more than the page. */
export function Donut({ slices, label, describe, children }: DonutProps) {
  const starts = slices.map((_, place) =>
    slices.slice(0, place).reduce((sum, { percent }) => sum + percent, 0),
  );
  return (
    <div className={styles.donut}>
      <svg viewBox="0 0 40 40" role="img" aria-label={label} className={styles.ring}>
        {slices.map((slice, place) => (
          <circle
            key={slice.key}
            cx="20"
            cy="20"
            r={radius}
            className={cx(styles.slice, slice.color === null && styles.rest)}
            // A gap of 0.4 % tells neighbours of like colours apart.
            strokeDasharray={`${Math.max(slice.percent - 0.4, 0.2)} ${100 - Math.max(slice.percent - 0.4, 0.2)}`}
            strokeDashoffset={-(starts[place] ?? 0)}
            style={sliceStyle(slice.color)}
          >
            <title>{describe(slice)}</title>
          </circle>
        ))}
      </svg>
      {children !== undefined && <div className={styles.middle}>{children}</div>}
    </div>
  );
}
