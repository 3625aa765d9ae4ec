import { Skeleton } from '@radix-ui/themes';
import { lazy, Suspense } from 'react';
import { formatDay } from '@/lib/format';
import { barsOf, type UsageLevel, type UsagePeriod } from '@/lib/usage';
import { account as t } from '@/messages/account';
import styles from './account.module.css';
import { LoadFailed } from './load-failed';
import { useReport } from './use-report';

/** The chart library is large; the figures and tables do not wait for it. */
const Chart = lazy(async () => ({ default: (await import('@/components/chart/chart')).Chart }));

/** The height of the drawing, in px. */
const height = 260;

interface UsageBarsProps {
  level: UsageLevel;
  period: UsagePeriod;
}

/** Credits by day, or by week if the period is long. */
export function UsageBars({ level, period }: UsageBarsProps) {
  const groupBy = barsOf(period);
  const { status, report, retry } = useReport({ level, groupBy, period });
  if (status === 'failed' && report === null) return <LoadFailed text={t('bars.failed')} onRetry={retry} />;
  const waiting = <Skeleton className={styles.chart ?? ''} />;
  if (report === null) return waiting;
  // An empty drawing would have a meaningless scale.
  if (report.totalTokensCreditSum === 0) return <p className={styles.none}>{t('bars.none')}</p>;
  const title = t(groupBy === 'date' ? 'bars.date' : 'bars.week');
  const config = {
    chart: { type: 'column' },
    title: { text: title },
    subtitle: { text: t('span', { first: formatDay(report.startDate), last: formatDay(report.endDate) }) },
    xAxis: { type: 'datetime' },
    yAxis: { title: { text: t('credits') } },
    legend: { enabled: false },
    series: [
      {
        name: t('credits'),
        data: report.results.map((row) => [row.date ?? row.week ?? '', row.totalTokensCreditSum ?? 0]),
      },
    ],
  };
  return (
    <div className={styles.bars}>
      <Suspense fallback={waiting}>
        <Chart config={config} title={title} height={height} opensAs="chart" />
      </Suspense>
    </div>
  );
}
