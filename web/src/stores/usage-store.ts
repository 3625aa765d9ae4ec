import { proxy } from 'valtio';
import { getCreditsInfo, getUsageReport, listTimePeriods } from '@/api/usage';
import { atSignOut } from '@/lib/at-sign-out';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import type { UsageQuery } from '@/lib/usage';
import type { CreditsInfo, TimePeriod, UsageReport } from '@/lib/wire';

/** Something that is read and never changed here. */
interface Read<T> {
  status: LoadStatus;
  value: T | null;
}

interface UsageState {
  credits: Read<CreditsInfo>;
  periods: Read<TimePeriod[]>;
  /** By the key of what was asked for. */
  reports: Record<string, Read<UsageReport>>;
}

const unread = <T>(): Read<T> => ({ status: 'initial', value: null });
const initial = (): UsageState => ({ credits: unread(), periods: unread(), reports: {} });

const state = proxy<UsageState>(initial());

export const usageState: DeepReadonly<UsageState> = state;

/** Counts sign-outs: what was asked for before one belongs to somebody else. */
const epoch = { count: 0 };

/** The key of a report in the state. */
export function reportKey({ level, groupBy, period }: UsageQuery): string {
  return JSON.stringify([level, groupBy, period]);
}

/** Reads something; what is held stays while it is read again, and one question is asked once at a time. */
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
    // The part of the page that it belongs to says that it failed, and offers to try again.
    if (mine === epoch.count) into.status = 'failed';
  }
}

/** Reads where the organisation stands this month. */
export function loadCredits(): Promise<void> {
  return read(state.credits, getCreditsInfo);
}

/** Reads the names of the periods. */
export function loadTimePeriods(): Promise<void> {
  return read(state.periods, async () => (await listTimePeriods()).results);
}

/** Reads a report. */
export function loadReport(query: UsageQuery): Promise<void> {
  const key = reportKey(query);
  state.reports[key] ??= unread();
  return read(state.reports[key], () => getUsageReport(query));
}

/** Lets go of what was read. */
export function resetUsage(): void {
  epoch.count++;
  Object.assign(state, initial());
}

atSignOut(resetUsage);
