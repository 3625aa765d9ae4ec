import { lazy, Suspense, useState } from 'react';
import { onDemand } from '@/lib/on-demand';
import type { Entity } from './entity';
import type { EntityTable, EntityTableProps } from './entity-table';
import { ListSkeletons } from './list-states';

const table = onDemand(async () => (await import('./entity-table')).EntityTable);

/** Fetches what lists of rows are made of. */
export const preloadEntityTable = table.load;

const Coming = lazy(async () => ({ default: await table.load() })) as unknown as typeof EntityTable;

/** Entities as rows. Most lists begin as cards, and need nothing of it. */
export function LaterEntityTable<T extends Entity>(props: EntityTableProps<T>) {
  // The same for as long as these rows are shown.
  const [Table] = useState(() => table.now() ?? Coming);
  return (
    <Suspense fallback={<ListSkeletons label={props.label} view="list" cardHeight={0} />}>
      <Table {...props} />
    </Suspense>
  );
}
