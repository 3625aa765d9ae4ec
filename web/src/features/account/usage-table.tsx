import { Button, Flex, Text, VisuallyHidden } from '@radix-ui/themes';
import { useState } from 'react';
import { Link } from 'react-router';
import { SliceDot } from '@/components/donut/slice-dot';
import { formatCount, formatCredits, formatPercent } from '@/lib/format';
import { paths } from '@/lib/paths';
import type { UsageEntity, UsageLine } from '@/lib/usage';
import { account as t } from '@/messages/account';
import { common } from '@/messages/common';
import { entityList } from '@/messages/entity-list';
import styles from './account.module.css';

export interface UsageTableLine extends UsageLine {
  readonly label: string;
  /** The colour of its part of the ring. */
  readonly sliceColor: number | string | null;
}

interface UsageTableProps {
  label: string;
  entity: UsageEntity;
  lines: readonly UsageTableLine[];
  percentLabel: string;
}

const pageSize = 10;

/** The shares as a table, ten rows at a time, the largest first. */
export function UsageTable({ label, entity, lines, percentLabel }: UsageTableProps) {
  const [page, setPage] = useState(0);
  const last = Math.max(Math.ceil(lines.length / pageSize) - 1, 0);
  const current = Math.min(page, last);
  const from = current * pageSize;
  const shown = lines.slice(from, from + pageSize);
  return (
    <div className={styles.table}>
      <table className={styles.lines}>
        <caption>
          <VisuallyHidden>{label}</VisuallyHidden>
        </caption>
        <thead>
          <tr>
            <th scope="col">{t('column.name')}</th>
            <th scope="col">{percentLabel}</th>
            <th scope="col">{t('column.credits')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((line) => (
            <tr key={line.key}>
              <th scope="row">
                <span className={styles.name}>
                  <SliceDot color={line.sliceColor} />
                  <LineName entity={entity} line={line} />
                </span>
              </th>
              <td>{formatPercent(line.percent)}</td>
              <td>{formatCredits(line.credits)}</td>
            </tr>
          ))}
          {lines.length === 0 && (
            <tr>
              <td colSpan={3} className={styles.noData}>
                {t('empty')}
              </td>
            </tr>
          )}
        </tbody>
      </table>
      {last > 0 && (
        <Flex asChild gap="3" align="center" justify="end" mt="2">
          <nav aria-label={t('pages.label', { table: label })}>
            <Text size="1" color="gray" role="status">
              {entityList('pages.range', {
                from: formatCount(from + 1),
                to: formatCount(from + shown.length),
                count: formatCount(lines.length),
              })}
            </Text>
            <Button
              size="1"
              variant="soft"
              color="gray"
              disabled={current === 0}
              onClick={() => setPage(current - 1)}
            >
              {common('previous')}
            </Button>
            <Button
              size="1"
              variant="soft"
              color="gray"
              disabled={current === last}
              onClick={() => setPage(current + 1)}
            >
              {common('next')}
            </Button>
          </nav>
        </Flex>
      )}
    </div>
  );
}

/** The name of a line; an entity that still exists can be opened from here. */
function LineName({ entity, line }: { entity: UsageEntity; line: UsageTableLine }) {
  const { id, label, isDeleted } = line;
  if (isDeleted) {
    return (
      <>
        <s className={styles.deleted}>{label}</s>
        <VisuallyHidden>{` (${t('deleted')})`}</VisuallyHidden>
      </>
    );
  }
  if (id !== null && entity !== 'user') {
    const to = entity === 'project' ? paths.project(Number(id)) : paths.conversation(String(id));
    return (
      <Link to={to} className={styles.link} title={label}>
        {label}
      </Link>
    );
  }
  return <span title={label}>{label}</span>;
}
