import type { UsageRow } from './wire';

/** The periods of the report's dropdown, in their order; the custom one is for comparing alone. */
export const usagePeriods = [
  'this_week',
  'this_month',
  'last_month',
  'last_3_months',
  'last_6_months',
] as const;

export type UsagePeriod = (typeof usagePeriods)[number];

/** Whose usage a report counts. */
export type UsageLevel = 'organization' | 'user' | 'conversation' | 'project_label';

/** What the rows of a report stand for. */
export type UsageGroup = 'date' | 'week' | 'conversation_id' | 'project_label_id' | 'user_id';

/** What a report is asked for. */
export interface UsageQuery {
  readonly level: UsageLevel;
  readonly groupBy: UsageGroup;
  readonly period: UsagePeriod | DaySpan;
}

/** Days from the first to the last, both counted, as `2026-05-31`. The server's days are those of UTC. */
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

/** The days of last month up to the same day as today; in a shorter month, to its last one. */
export function lastMonthSoFar(now: number): DaySpan {
  const today = new Date(now);
  const [year, month] = [today.getUTCFullYear(), today.getUTCMonth() - 1];
  const length = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return { first: dayText(year, month, 1), last: dayText(year, month, Math.min(today.getUTCDate(), length)) };
}

/** Before this day a month has too little behind it to be carried on. */
const forecastFrom = 3;

/** What the whole month comes to if it goes on as it did so far; `null` in its first days. */
export function forecast(used: number, now: number): number | null {
  const today = new Date(now);
  const day = today.getUTCDate();
  if (day < forecastFrom) return null;
  const length = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1, 0)).getUTCDate();
  return (used / day) * length;
}

/** By how many percent it is more or less than before; `null` where there is nothing to compare with. */
export function changeInPercent(now: number, before: number): number | null {
  return before === 0 ? null : ((now - before) / before) * 100;
}

/** The three tables of the details. */
export const usageEntities = ['conversation', 'project', 'user'] as const;

export type UsageEntity = (typeof usageEntities)[number];

/** One line of a table of the details. */
export interface UsageLine {
  readonly key: string;
  /** `null` for what stands under no single entity, such as no project. */
  readonly id: string | number | null;
  readonly name: string;
  readonly isDeleted: boolean;
  readonly credits: number;
  /** Of what the table counts. */
  readonly percent: number;
  /** Of the whole organisation in the same days. */
  readonly percentOfAll: number;
  /** Of a project. */
  readonly color: string | null;
}

/** Reads a row by the kind of entity that it stands for. */
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
  /** One of the chart's colours by its number, a colour of its own, or `null` for the grey of what remains. */
  readonly color: number | string | null;
}

/** More parts than these cannot be told apart; the others are one. */
const mostSlices = 7;

/**
 * The parts of a ring: the largest lines by themselves, the others together, and what is left to a hundred. `others`
 * and `rest` name the last two.
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
  // What the rounding of the server leaves is no part.
  if (rest > 0.05) slices.push({ key: 'rest', name: names.rest, percent: rest, color: null });
  return slices;
}
