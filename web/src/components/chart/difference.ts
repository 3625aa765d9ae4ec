import type { ShownColumn } from '@/lib/wire';
import { chart as t } from '@/messages/chart';

/**
 * The unit of the difference of two shares: a percent sign could be mistaken for a relative change. Null for values
 * whose difference has their own unit. The difference of fractions of one is shown in percentage points, so it is
 * multiplied.
 */
export function pointsOf(column: Pick<ShownColumn, 'format'> | null | undefined) {
  if (column?.format !== 'percent' && column?.format !== 'fraction') return null;
  return {
    kind: { format: 'number', unit: t('unit.points') } as const,
    times: column.format === 'fraction' ? 100 : 1,
  };
}
