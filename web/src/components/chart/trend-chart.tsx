import type { Chart as HighchartsChart } from 'highcharts';
import { Text } from '@radix-ui/themes';
import { useEffect, useRef, useState } from 'react';
import { ChartFailure } from './chart-failure';
import styles from './chart.module.css';
import { moveOn, trendOptions, type TrendLine } from './trend-options';

interface TrendChartProps {
  title: string;
  lines: readonly TrendLine[];
  /** The span of the time axis, in ms. */
  from: number;
  to: number;
  /** Writes a value of the axis and the tooltip. */
  format: (value: number) => string;
  /** The values are whole numbers. */
  whole?: boolean;
  /** Accessible description of the drawing. */
  description: string;
}

/** Lines of the last minutes, which grow: the drawing is kept, and moved on without an animation. */
export function TrendChart({ title, description, ...content }: TrendChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [drawing, setDrawing] = useState<HighchartsChart | null>(null);
  const [failed, setFailed] = useState(false);
  const options = trendOptions(content);
  const newest = useRef(options);

  useEffect(() => {
    newest.current = options;
    if (drawing === null) return;
    const move = async () => {
      // A drawing that is gone meanwhile cannot be moved, which nobody sees.
      await Promise.resolve();
      moveOn(drawing, content);
    };
    move().catch(() => setFailed(true));
    // The content is another object each time: each rendering moves the drawing on.
  }, [drawing, options, content]);

  useEffect(() => {
    let made: HighchartsChart | null = null;
    let gone = false;
    const draw = async () => {
      try {
        const { chart } = await import('./highcharts');
        if (gone || box.current === null) return;
        made = chart(box.current, newest.current);
        // The box around it carries the description; the shapes within it have no descriptions.
        box.current.querySelector('svg')?.setAttribute('aria-hidden', 'true');
        setDrawing(made);
      } catch {
        if (!gone) setFailed(true);
      }
    };
    void draw();
    return () => {
      gone = true;
      made?.destroy();
    };
  }, []);

  if (failed) return <ChartFailure />;
  return (
    <figure className={styles.frame}>
      <Text asChild size="2" weight="medium">
        <figcaption className={styles.trendTitle}>{title}</figcaption>
      </Text>
      <div ref={box} className={styles.trend} role="img" aria-label={description} />
    </figure>
  );
}
