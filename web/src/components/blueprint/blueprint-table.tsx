import { Badge, Table } from '@radix-ui/themes';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import { formatDay } from '@/lib/format';
import { blueprints as t } from '@/messages/blueprints';
import type { BlueprintActions, BlueprintSummary } from './blueprint-card';
import styles from './blueprint.module.css';

interface BlueprintTableProps extends BlueprintActions {
  blueprints: readonly BlueprintSummary[];
  showOwner?: boolean | undefined;
}

/** Blueprints as rows. */
export function BlueprintTable({
  blueprints,
  showOwner = true,
  onStart,
  onFavorite,
  menu,
}: BlueprintTableProps) {
  return (
    <div className={styles.tableScroll}>
      <Table.Root>
        <Table.Header>
          <Table.Row>
            <Table.ColumnHeaderCell>{t('table.name')}</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>{t('table.description')}</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>{t('inputs')}</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>{t('steps')}</Table.ColumnHeaderCell>
            {showOwner && <Table.ColumnHeaderCell>{t('table.owner')}</Table.ColumnHeaderCell>}
            <Table.ColumnHeaderCell>{t('table.updated')}</Table.ColumnHeaderCell>
            <Table.ColumnHeaderCell>{t('table.favorite')}</Table.ColumnHeaderCell>
          </Table.Row>
        </Table.Header>
        <Table.Body>
          {blueprints.map((blueprint) => (
            <Table.Row key={blueprint.id}>
              <Table.RowHeaderCell>
                <button
                  type="button"
                  className={styles.rowName}
                  disabled={!blueprint.abilities.start}
                  onClick={() => onStart(blueprint.id)}
                >
                  {blueprint.name}
                </button>
              </Table.RowHeaderCell>
              <Table.Cell className={styles.wideCell ?? ''}>{blueprint.description}</Table.Cell>
              <Table.Cell>{blueprint.inputs.length}</Table.Cell>
              <Table.Cell>{blueprint.steps.length}</Table.Cell>
              {showOwner && (
                <Table.Cell>
                  {blueprint.isLibrary ? (
                    <Badge variant="soft">{t('library.one')}</Badge>
                  ) : (
                    blueprint.owner?.fullName
                  )}
                </Table.Cell>
              )}
              <Table.Cell className={styles.noWrap ?? ''}>{formatDay(blueprint.updatedAt)}</Table.Cell>
              <Table.Cell>
                <FavoriteStar
                  name={blueprint.name}
                  isFavorite={blueprint.isFavorite}
                  onChange={(to) => onFavorite(blueprint.id, to)}
                />
                {menu?.(blueprint.id)}
              </Table.Cell>
            </Table.Row>
          ))}
        </Table.Body>
      </Table.Root>
    </div>
  );
}
