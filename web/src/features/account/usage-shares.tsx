import { Skeleton, Text } from '@radix-ui/themes';
import { Donut } from '@/components/donut/donut';
import { cssColor } from '@/components/project/project-color';
import { formatCredits, formatPercent } from '@/lib/format';
import {
  slicesOf,
  usageLine,
  type UsageEntity,
  type UsageGroup,
  type UsageLevel,
  type UsageLine,
  type UsagePeriod,
} from '@/lib/usage';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { UsageReport } from '@/lib/wire';
import { account as t } from '@/messages/account';
import styles from './account.module.css';
import { LoadFailed } from './load-failed';
import { UsageTable, type UsageTableLine } from './usage-table';
import { useReport } from './use-report';

const groups: Record<UsageEntity, UsageGroup> = {
  conversation: 'conversation_id',
  project: 'project_label_id',
  user: 'user_id',
};

interface UsageSharesProps {
  entity: UsageEntity;
  personal: boolean;
  period: UsagePeriod;
}

/** The credits of a period by conversation, project or person: a table, and the ring of its shares. */
export function UsageShares({ entity, personal, period }: UsageSharesProps) {
  // Usage by conversation is always the person's own usage, whatever the switch says.
  const level: UsageLevel = entity === 'conversation' ? 'conversation' : personal ? 'user' : 'organization';
  const { status, report, retry } = useReport({ level, groupBy: groups[entity], period });
  if (status === 'failed' && report === null)
    return <LoadFailed text={t('details.failed')} onRetry={retry} />;
  if (report === null) return <Skeleton className={styles.shares ?? ''} height="240px" />;
  const isMine = personal || entity === 'conversation';
  return <Shares entity={entity} isMine={isMine} report={report} />;
}

interface SharesProps {
  entity: UsageEntity;
  isMine: boolean;
  report: DeepReadonly<UsageReport>;
}

function Shares({ entity, isMine, report }: SharesProps) {
  const lines = report.results
    .map((row) => usageLine(entity, row))
    .map((line) => ({ ...line, label: labelOf(entity, line), color: line.color && cssColor(line.color) }));
  // For conversations the ring shows their shares of the organisation's usage; the rest was used by others.
  const percentOf = (line: UsageLine) => (entity === 'conversation' ? line.percentOfAll : line.percent);
  const slices = slicesOf(lines, percentOf, {
    others: t('donut.others'),
    rest: t(entity === 'conversation' ? 'donut.rest' : 'donut.rest.none'),
  });
  const colors = new Map(slices.map(({ key, color }) => [key, color]));
  const others = colors.get('others') ?? null;
  const table: UsageTableLine[] = lines.map((line) => ({
    ...line,
    sliceColor: colors.get(line.key) ?? others,
  }));
  const { totalTokensCreditSum: sum, totalTokensCreditSumOverOrg: all } = report;
  const legend =
    entity === 'conversation'
      ? t('donut.conversation', { percent: formatPercent(all === 0 ? 0 : (sum / all) * 100) })
      : t(`donut.${entity}`);

  return (
    <div className={styles.shares}>
      <UsageTable
        label={t(`details.${entity}`)}
        entity={entity}
        lines={table}
        percentLabel={t(isMine ? 'column.my' : 'column.all')}
      />
      {slices.length > 0 && table.length > 0 && (
        <figure className={styles.ring}>
          <Donut
            slices={slices}
            label={legend}
            describe={({ name, percent }) => t('donut.slice', { name, percent: formatPercent(percent) })}
          >
            <Text size="4" weight="bold">
              {formatCredits(sum)}
            </Text>
            <Text size="1" color="gray">
              {t('credits')}
            </Text>
          </Donut>
          <Text asChild size="1" color="gray">
            <figcaption>{legend}</figcaption>
          </Text>
        </figure>
      )}
    </div>
  );
}

function labelOf(entity: UsageEntity, { id, name }: UsageLine): string {
  if (id !== null || name !== '') return name;
  return entity === 'project' ? t('project.none') : t('hidden');
}
