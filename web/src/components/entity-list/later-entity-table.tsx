import { shownLater } from '@/lib/shown-later';
import type { Entity } from './entity';
import type { EntityTable, EntityTableProps } from './entity-table';
import { ListSkeletons } from './list-states';

const later = shownLater<EntityTableProps<Entity>>(
  async () => (await import('./entity-table')).EntityTable,
  ({ label }) => <ListSkeletons label={label} view="list" cardHeight={0} />,
);

/** Entities as rows. It is loaded on demand: most lists begin as cards and do not need it. */
export const LaterEntityTable = later as unknown as typeof EntityTable & Pick<typeof later, 'preload'>;
