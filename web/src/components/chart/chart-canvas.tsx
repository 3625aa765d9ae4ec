import type { Chart as HighchartsChart } from 'highcharts';
import { useEffect, useRef } from 'react';
import { crossesZero, valueRange } from './axis-base';
import styles from './chart.module.css';
import type { ChartModel } from './chart-model';
import { chartOptions, type PressHandler } from './chart-options';
import { markCutBase } from './mark-cut-base';
import { markZero } from './mark-zero';
import { whenStill } from './still-page';

const mostAnimatedPoints = 500;
/**
 * The chart is drawn again when its width changes by more than this, in px: names at the ends of lines need space
 * or a legend.
 */
const widthStep = 80;

interface ChartCanvasProps {
  chart: ChartModel;
  width: number;
  height: number;
  /** Accessible description of the drawing. */
  description: string;
  /** The library could not be fetched, or could not draw this. */
  onFailure: () => void;
  /** A mark was pressed. Without it, marks cannot be pressed. */
  onPress?: PressHandler | undefined;
}

/** The drawing. Fetches the chart library when the first one is shown, waits while the page is scrolled; follows the width of its box. */
export function ChartCanvas({ chart, width, height, description, onFailure, onPress }: ChartCanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  // The drawing calls the handler of the last rendering, so that a new one does not draw it again.
  const press = useRef(onPress);
  useEffect(() => {
    press.current = onPress;
  });
  const isPressable = onPress !== undefined;
  const step = Math.round(width / widthStep) * widthStep;

  useEffect(() => {
    let drawing: HighchartsChart | null = null;
    let gone = false;
    const draw = async (passesBy: boolean) => {
      try {
        const { chart: drawnAs, addEvent } = await import('./highcharts');
        if (gone || box.current === null) return;
        drawing = drawnAs(
          box.current,
          chartOptions(
            chart,
            { width: step, height, animate: !passesBy && mayAnimate(chart) },
            isPressable ? (mark) => press.current?.(mark) : undefined,
          ),
        );
        if (valueRange(chart, 0).isCut) markCutBase({ addEvent }, drawing);
        if (crossesZero(chart, 0)) markZero({ addEvent }, drawing);
        // The box around it carries the description; the shapes within it have no descriptions.
        box.current.querySelector('svg')?.setAttribute('aria-hidden', 'true');
      } catch {
        // For any error of the library, the reader gets the text of the specification instead of half a chart.
        if (!gone) onFailure();
      }
    };
    const forget = whenStill((waited) => void draw(waited));
    return () => {
      gone = true;
      forget();
      drawing?.destroy();
    };
  }, [chart, step, height, onFailure, isPressable]);

  return <div ref={box} className={styles.canvas} style={{ height }} role="img" aria-label={description} />;
}

function mayAnimate(chart: ChartModel): boolean {
  const points = chart.series.reduce((total, series) => total + series.points.length, 0);
  return points <= mostAnimatedPoints && !window.matchMedia('(prefers-reduced-motion: reduce)').matches;
}
