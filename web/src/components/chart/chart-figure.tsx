import styles from './chart.module.css';
import type { ChartModel, ChartSeries } from './chart-model';
import { valueFormat } from './value-format';

interface ChartFigureProps {
  chart: ChartModel;
  series: ChartSeries;
  value: number;
}

/** One number, large: what a chart of one bar would say in a corner. */
export function ChartFigure({ chart, series, value }: ChartFigureProps) {
  return (
    <div className={styles.figure}>
      <span className={styles.number}>{valueFormat(chart, series).full(value)}</span>
      <span className={styles.measure}>{series.name}</span>
    </div>
  );
}
