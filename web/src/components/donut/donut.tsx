import type { ReactNode } from 'react';
import { cx } from '@/lib/cx';
import styles from './donut.module.css';
import { sliceStyle } from './slice-color';

interface DonutSlice {
  readonly key: string;
  readonly name: string;
  /** In percent of the whole ring. */
  readonly percent: number;
  /** One of the eight colours by its number, a CSS colour, or `null` for the rest. */
  readonly color: number | string | null;
}

interface DonutProps {
  slices: readonly DonutSlice[];
  /** The description for screen readers; the table next to it has the figures. */
  label: string;
  /** The text of a part's tooltip, such as `Spring: 12 %`. */
  describe: (slice: DonutSlice) => string;
  /** The text in the middle. */
  children?: ReactNode;
}

/** A radius at which the circumference is 100, so that percentages are lengths. */
const radius = 100 / (2 * Math.PI);

/** Shares of a whole as a ring. It is twenty lines of SVG: a chart library would be larger than the page. */
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
            // A gap of 0.4 % separates neighbours of similar colours.
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
