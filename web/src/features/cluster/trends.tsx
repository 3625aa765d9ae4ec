import { Heading, Skeleton, Text } from '@radix-ui/themes';
import { lazy, Suspense } from 'react';
import { formatAhead, formatTenths, measures, pointsOf, type Measure, type Sample } from '@/lib/cluster';
import { formatCount } from '@/lib/format';
import { cluster as t } from '@/messages/cluster';
import styles from './cluster.module.css';

/** The chart library is large; the table does not wait for it. */
const TrendChart = lazy(async () => ({
  default: (await import('@/components/chart/trend-chart')).TrendChart,
}));

/** The shortest time axis, in ms: the first points are at the right of a minute, and not on a line of no length. */
const shortest = 60_000;

const formats: Readonly<Record<Measure, (value: number) => string>> = {
  running: formatCount,
  conversations: formatCount,
  sockets: formatCount,
  lease: formatTenths,
  clock: formatAhead,
};

interface TrendsProps {
  samples: readonly Sample[];
  /** All names that were seen; the place of a name is its colour. */
  names: readonly string[];
}

/** The lines of the last minutes: one drawing for each figure, with a line for each node. */
export function Trends({ samples, names }: TrendsProps) {
  const to = samples.at(-1)?.at ?? 0;
  const from = Math.min(samples[0]?.at ?? 0, to - shortest);
  return (
    <section aria-labelledby="trends-heading">
      <Heading as="h2" size="4" id="trends-heading">
        {t('charts')}
      </Heading>
      <Text as="p" size="1" color="gray" mb="3">
        {t('charts.note')}
      </Text>
      <div className={styles.charts}>
        {measures.map((measure) => {
          const format = formats[measure];
          const lines = names.map((name, color) => ({
            name,
            color,
            points: pointsOf(samples, name, measure),
          }));
          return (
            <Suspense key={measure} fallback={<Skeleton className={styles.chart ?? ''} />}>
              <TrendChart
                title={t(`measure.${measure}`)}
                description={describe(measure, lines, format)}
                lines={lines}
                from={from}
                to={to}
                format={format}
                whole={format === formatCount}
              />
            </Suspense>
          );
        })}
      </div>
    </section>
  );
}

/** The latest value of each line, for those who cannot see the drawing. */
function describe(
  measure: Measure,
  lines: readonly { name: string; points: ReturnType<typeof pointsOf> }[],
  format: (value: number) => string,
): string {
  const values = lines.map(({ name, points }) => {
    const value = points.at(-1)?.[1] ?? null;
    return t('chart.value', { name, value: value === null ? '–' : format(value) });
  });
  return t('chart', { measure: t(`measure.${measure}`), values: values.join(', ') });
}
