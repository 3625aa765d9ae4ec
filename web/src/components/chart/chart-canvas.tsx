import type { Chart as HighchartsChart } from 'highcharts';
import { useEffect, useRef } from 'react';

import styles from './chart.module.css';
import type { ChartModel } from './chart-model';
import { chartOptions } from './chart-options';
import { whenStill } from './still-page';

const mostAnimatedPoints = 500;

/** Props of {@link ChartCanvas}. */
export interface ChartCanvasProps {
  chart: ChartModel;
  height: number;
  /** Accessible description of the drawing. */
  description: string;
  /** The library could not be fetched, or could not draw this. */
  onFailure: () => void;
}

/** The drawing. Fetches the chart library when the first one is shown, waits while the page is scrolled; follows the width of its box. */
export function ChartCanvas({ chart, height, description, onFailure }: ChartCanvasProps) {
  const box = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let drawing: HighchartsChart | null = null;
    let gone = false;
    const draw = async (passesBy: boolean) => {
      try {
        const { default: highcharts } = await import('highcharts');
        if (gone || box.current === null) return;
        drawing = highcharts.chart(
          box.current,
          chartOptions(chart, { height, animate: !passesBy && mayAnimate(chart) }),
        );
        // The box around it carries the description; the shapes within say nothing by themselves.
        box.current.querySelector('svg')?.setAttribute('aria-hidden', 'true');
      } catch {
        // Whatever the library stumbled over, the reader gets the spec's text instead of half a chart.
        if (!gone) onFailure();
      }
    };
    const forget = whenStill((waited) => void draw(waited));
    return () => {
      gone = true;
      forget();
      drawing?.destroy();
    };
  }, [chart, height, onFailure]);

  return <div ref={box} className={styles.canvas} style={{ height }} role="img" aria-label={description} />;
}

function mayAnimate(chart: ChartModel): boolean {
  const points = chart.series.reduce((total, series) => total + series.points.length, 0);
  return points <= mostAnimatedPoints && !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
