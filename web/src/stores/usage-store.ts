import { proxy } from 'valtio';
import { getCreditsInfo, getUsageReport, listTimePeriods } from '@/api/usage';
import { atSignOut } from '@/lib/at-sign-out';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import type { UsageQuery } from '@/lib/usage';
import type { CreditsInfo, TimePeriod, UsageReport } from '@/lib/wire';

/** Data that are only read here and never changed. */
interface Read<T> {
  status: LoadStatus;
  value: T | null;
}

interface UsageState {
  credits: Read<CreditsInfo>;
  periods: Read<TimePeriod[]>;
  /** By the key of the query. */
  reports: Record<string, Read<UsageReport>>;
}

const unread = <T>(): Read<T> => ({ status: 'initial', value: null });
const initial = (): UsageState => ({ credits: unread(), periods: unread(), reports: {} });

const state = proxy<UsageState>(initial());

export const usageState: DeepReadonly<UsageState> = state;

/** Counts sign-outs: a request from before a sign-out belongs to another user. */
const epoch = { count: 0 };

/** The key of a report in the state. */
export function reportKey({ level, groupBy, period }: UsageQuery): string {
  return JSON.stringify([level, groupBy, period]);
}

/**
 * Loads data; the old state stays while they are loaded again, and equal requests are not sent twice at the same
 * time.
 */
async function read<T>(into: Read<T>, ask: () => Promise<T>): Promise<void> {
  if (into.status === 'fetching' || into.status === 'updating') return;
  into.status = into.value === null ? 'fetching' : 'updating';
  const mine = epoch.count;
  try {
    const value = await ask();
    if (mine !== epoch.count) return;
    into.value = value;
    into.status = 'fetched';
  } catch {
    // The section of the page shows the failure and offers a retry.
    if (mine === epoch.count) into.status = 'failed';
  }
}

/** Loads the state of the organisation's credits this month. */
export function loadCredits(): Promise<void> {
  return read(state.credits, getCreditsInfo);
}

/** Loads the names of the periods. */
export function loadTimePeriods(): Promise<void> {
  return read(state.periods, async () => (await listTimePeriods()).results);
}

/** Loads a report. */
export function loadReport(query: UsageQuery): Promise<void> {
  const key = reportKey(query);
  state.reports[key] ??= unread();
  return read(state.reports[key], () => getUsageReport(query));
}

/** Drops the loaded data. */
export function resetUsage(): void {
  epoch.count++;
  Object.assign(state, initial());
}

atSignOut(resetUsage);
