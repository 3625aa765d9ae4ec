import { Skeleton, Text } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import { formatChange, formatCredits } from '@/lib/format';
import { changeInPercent, forecast, lastMonthSoFar, type UsageLevel, type UsagePeriod } from '@/lib/usage';
import { useNow } from '@/lib/use-now';
import { account as t } from '@/messages/account';
import styles from './account.module.css';
import { LoadFailed } from './load-failed';
import { useReport } from './use-report';

interface UsageFiguresProps {
  level: UsageLevel;
  period: UsagePeriod;
}

/** The figures at the top: the organisation's usage, this month compared with last month, and the forecast. */
export function UsageFigures({ level, period }: UsageFiguresProps) {
  const now = useNow();
  const whole = useReport({ level: 'organization', groupBy: 'date', period });
  const month = useReport({ level, groupBy: 'date', period: 'this_month' });
  const before = useReport({ level, groupBy: 'date', period: lastMonthSoFar(now) });
  const used = month.report?.totalTokensCreditSum;
  const earlier = before.report?.totalTokensCreditSum;
  const change = used === undefined || earlier === undefined ? null : changeInPercent(used, earlier);
  const coming = used === undefined ? null : forecast(used, now);
  const failed = [whole, month, before].filter(
    ({ status, report }) => status === 'failed' && report === null,
  );

  if (failed.length > 0) {
    return <LoadFailed text={t('figures.failed')} onRetry={() => failed.forEach(({ retry }) => retry())} />;
  }
  return (
    <div className={styles.figures}>
      <Figure
        title={t('org.title')}
        label={t('org.label')}
        value={whole.report?.totalTokensCreditSum}
        note={t('org.text')}
      />
      <Figure
        title={t('month')}
        label={t('credits')}
        value={used}
        note={
          earlier === undefined
            ? null
            : change === null
              ? t('compare.none')
              : t('compare', { change: formatChange(change), before: formatCredits(earlier) })
        }
      />
      <Figure
        title={t('forecast')}
        label={t('credits')}
        value={used === undefined ? undefined : coming}
        note={used === undefined ? null : coming === null ? t('forecast.early') : t('forecast.text')}
      />
    </div>
  );
}

interface FigureProps {
  title: string;
  /** What is counted. */
  label: string;
  /** `undefined` while it loads, `null` if there is no value. */
  value: number | null | undefined;
  /** A line that explains it; `null` while that loads. */
  note: ReactNode;
}

function Figure({ title, label, value, note }: FigureProps) {
  return (
    <section className={styles.figure} aria-label={title}>
      <Text as="div" size="2" weight="medium">
        {title}
      </Text>
      <div className={styles.value}>
        {value === undefined ? <Skeleton width="96px" height="34px" /> : formatCredits(value)}
      </div>
      <Text as="div" size="1" color="gray">
        {label}
      </Text>
      <Text as="div" size="1" color="gray">
        {note ?? <Skeleton width="180px" height="14px" />}
      </Text>
    </section>
  );
}
