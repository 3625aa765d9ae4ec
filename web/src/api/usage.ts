import { call } from './client';
import { path } from './path';
import type { UsageQuery } from '@/lib/usage';
import type { CreditsInfo, Page, TimePeriod, UsageReport } from '@/lib/wire';

/** The maximum number of rows in an answer. */
const everyRow = 1000;

/**
 * The fields that a report is asked for, in addition to those of its grouping; the field with the entity's name
 * depends on the kind of entity.
 */
const fields = [
  'total_tokens_credit',
  'total_tokens_credit_percentage',
  'entity_name',
  'is_deleted',
  'total_tokens_credit_percentage_over_org',
  'project_label_color',
].join(',');

export function getUsageReport({ level, groupBy, period }: UsageQuery): Promise<UsageReport> {
  return call('GET', path`discourse/llm-statistics/usage-report`, {
    quiet: true,
    query: {
      level,
      group_by: groupBy,
      aggregate: 'sum',
      fields,
      include_deleted_conversations: true,
      page_size: everyRow,
      ...(typeof period === 'string'
        ? { time_period: period }
        : { time_period: 'custom_time', start_date: period.first, end_date: period.last }),
    },
  });
}

export function getCreditsInfo(): Promise<CreditsInfo> {
  return call('GET', path`discourse/llm-statistics/credits-info`, { quiet: true });
}

export function listTimePeriods(): Promise<Page<TimePeriod>> {
  return call('GET', path`discourse/llm-statistics/time-period`, { query: { page_size: 25 }, quiet: true });
}
