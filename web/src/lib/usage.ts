import type { UsageRow } from './wire';

/** The periods of the report's dropdown, in their order; the custom one is only for comparisons. */
export const usagePeriods = [
  'this_week',
  'this_month',
  'last_month',
  'last_3_months',
  'last_6_months',
] as const;

export type UsagePeriod = (typeof usagePeriods)[number];

/** The level at which a report counts usage. */
export type UsageLevel = 'organization' | 'user' | 'conversation' | 'project_label';

/** What the rows of a report represent. */
export type UsageGroup = 'date' | 'week' | 'conversation_id' | 'project_label_id' | 'user_id';

/** The query of a report. */
export interface UsageQuery {
  readonly level: UsageLevel;
  readonly groupBy: UsageGroup;
  readonly period: UsagePeriod | DaySpan;
}

/** Days from the first to the last, both counted, as `2026-05-31`. The server's days are in UTC. */
export interface DaySpan {
  readonly first: string;
  readonly last: string;
}

/** Short periods are drawn by day, long ones by week. */
export function barsOf(period: UsagePeriod): 'date' | 'week' {
  return period === 'last_3_months' || period === 'last_6_months' ? 'week' : 'date';
}

const dayText = (year: number, month: number, day: number): string =>
  new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);

/** The days of last month up to the same day as today; in a shorter month, up to its last day. */
export function lastMonthSoFar(now: number): DaySpan {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - 1];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return { first: dayText(year, month, 1), last: dayText(year, month, Math.min(today.getUTCDate(), length)) };
}

/** Before this day of a month there are too few days for a forecast. */
const forecastFrom = 3;

/** The forecast for the whole month at the current rate; `null` in its first days. */
export function forecast(used: number, now: number): number | null {
  const today = new Date(now);
  const day = today.getUTCDate();
  if (day < forecastFrom) return null;
  const length = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0)).getUTCDate();
  return (used / day) * length;
}

/** The change in percent; `null` if there is nothing to compare with. */
export function changeInPercent(now: number, before: number): number | null {
  return before === 0 ? null : ((now - before) / before) * 100;
}

/** The three tables of the details. */
export const usageEntities = ['conversation', 'project', 'user'] as const;

export type UsageEntity = (typeof usageEntities)[number];

/** One line of a table of the details. */
export interface UsageLine {
  readonly key: string;
  /** `null` for usage without an entity, for example without a project. */
  readonly id: string | number | null;
  readonly name: string;
  readonly isDeleted: boolean;
  readonly credits: number;
  /** In percent of what the table counts. */
  readonly percent: number;
  /** In percent of the whole organisation on the same days. */
  readonly percentOfAll: number;
  /** The colour of a project. */
  readonly color: string | null;
}

/** Converts a row by its kind of entity. */
export function usageLine(entity: UsageEntity, row: Readonly<UsageRow>): UsageLine {
  const {
    totalTokensCreditSum: credits = 0,
    totalTokensCreditPercentageSum: percent = 0,
    totalTokensCreditPercentageOverOrgSum: percentOfAll = 0,
  } = row;
  const { id = null, name = '', isDeleted = false } = identityOf(entity, row);
  const color = entity === 'project' && id !== null ? (row.projectColor ?? null) : null;
  return { key: String(id), id, name, isDeleted, credits, percent, percentOfAll, color };
}

function identityOf(entity: UsageEntity, row: Readonly<UsageRow>) {
  switch (entity) {
    case 'conversation':
      return { id: row.conversationId, name: row.conversationName, isDeleted: row.conversationIsDeleted };
    case 'project':
      return { id: row.projectId, name: row.projectName, isDeleted: row.projectIsDeleted };
    case 'user':
      return { id: row.userId, name: row.userName, isDeleted: row.userIsDeleted };
  }
}

/** One part of a ring. */
export interface Slice {
  readonly key: string;
  readonly name: string;
  /** In percent of the whole ring. */
  readonly percent: number;
  /** One of the chart's colours by its number, a custom colour, or `null` for the grey of the rest. */
  readonly color: number | string | null;
}

/** More parts than these cannot be distinguished; the others are combined. */
const mostSlices = 7;

/**
 * The parts of a ring: the largest lines one by one, the others combined, and the rest to 100 %. `others` and
 * `rest` are the names of the last two.
 */
export function slicesOf(
  lines: readonly (UsageLine & { readonly label: string })[],
  percentOf: (line: UsageLine) => number,
  names: { readonly others: string; readonly rest: string },
): Slice[] {
  const shown = lines.filter((line) => percentOf(line) > 0);
  const single = shown.length > mostSlices + 1 ? shown.slice(0, mostSlices) : shown;
  const slices: Slice[] = single.map((line, place) => ({
    key: line.key,
    name: line.label,
    percent: percentOf(line),
    color: line.color ?? place,
  }));
  const others = shown.slice(single.length).reduce((sum, line) => sum + percentOf(line), 0);
  if (others > 0) slices.push({ key: 'others', name: names.others, percent: others, color: mostSlices });
  const rest = 100 - slices.reduce((sum, { percent }) => sum + percent, 0);
  // A difference from the server's rounding is not a part.
  if (rest > 0.05) slices.push({ key: 'rest', name: names.rest, percent: rest, color: null });
  return slices;
}
