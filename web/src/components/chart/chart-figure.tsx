import styles from './chart.module.css';
import type { ChartModel, ChartSeries } from './chart-model';
import { valueFormat } from './value-format';

interface ChartFigureProps {
  chart: ChartModel;
  series: ChartSeries;
  value: number;
}

/** One number, large, in place of a chart with a single bar. */
export function ChartFigure({ chart, series, value }: ChartFigureProps) {
  return (
    <div className={styles.figure}>
      <span className={styles.number}>{valueFormat(chart, series).full(value)}</span>
      <span className={styles.measure}>{series.name}</span>
    </div>
  );
}
