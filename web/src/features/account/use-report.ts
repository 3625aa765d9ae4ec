import { useEffect } from 'react';
import { useSnapshot } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import type { UsageQuery } from '@/lib/usage';
import type { UsageReport } from '@/lib/wire';
import { loadReport, reportKey, usageState } from '@/stores/usage-store';

interface ShownReport {
  status: LoadStatus;
  report: DeepReadonly<UsageReport> | null;
  retry: () => void;
}

/** Shows a report: it is loaded when it is first shown, and again each time the person returns to it. */
export function useReport(query: UsageQuery): ShownReport {
  const { reports } = useSnapshot(usageState);
  const key = reportKey(query);
  const held = reports[key];
  useEffect(() => void loadReport(query), [key]); // eslint-disable-line react-hooks/exhaustive-deps -- the key stands for the query
  return {
    status: held?.status ?? 'initial',
    report: held?.value ?? null,
    retry: () => void loadReport(query),
  };
}
