import type { ShownColumn } from '@/lib/wire';
import { chart as t } from '@/messages/chart';

/**
 * The unit of the difference of two shares, which a percent sign beside a relative change would be mistaken for; null
 * for what differs in its own unit. A share of one is told in points of a hundred, so it is multiplied.
 */
export function pointsOf(column: Pick<ShownColumn, 'format'> | null | undefined) {
  if (column?.format !== 'percent' && column?.format !== 'fraction') return null;
  return {
    kind: { format: 'number', unit: t('unit.points') } as const,
    times: column.format === 'fraction' ? 100 : 1,
  };
}
