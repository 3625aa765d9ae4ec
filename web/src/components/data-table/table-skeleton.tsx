import { Skeleton } from '@radix-ui/themes';
import { table as t } from '@/messages/table';
import { headerHeight, rowHeight, rowsBeforeScroll } from './geometry';

interface TableSkeletonProps {
  rows: number;
  maxHeight?: number | undefined;
}

/** About as tall as the table will be, so that the page does not move when the table appears. */
export function TableSkeleton({ rows, maxHeight = 400 }: TableSkeletonProps) {
  const height = rows > rowsBeforeScroll ? maxHeight : headerHeight + Math.max(1, rows) * rowHeight;
  return <Skeleton width="100%" height={`${height}px`} aria-label={t('reading')} />;
}
