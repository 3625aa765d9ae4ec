import { EntityCard } from '@/components/entity-list/entity-card';
import { EntityGrid } from '@/components/entity-list/entity-grid';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import type { BlueprintSummary } from './blueprint';
import { blueprintCard, blueprintCardHeight } from './blueprint-content';

interface BlueprintGridProps {
  label: string;
  blueprints: readonly BlueprintSummary[];
  showOwner: boolean;
  onStart: (id: number) => void;
  onFavorite: (id: number, isFavorite: boolean) => void;
}

/** Blueprints as cards only, as one of several groups; choosing one starts it. */
export function BlueprintGrid({ label, blueprints, showOwner, onStart, onFavorite }: BlueprintGridProps) {
  const card = blueprintCard(showOwner);
  return (
    <EntityGrid
      label={label}
      cardHeight={blueprintCardHeight}
      cells={blueprints.map((blueprint) => ({
        key: String(blueprint.id),
        render: () => (
          <EntityCard
            name={blueprint.name}
            content={card(blueprint)}
            opening={{ onOpen: () => onStart(blueprint.id), disabled: !blueprint.abilities.start }}
            choice={null}
            actions={
              <FavoriteStar
                name={blueprint.name}
                isFavorite={blueprint.isFavorite}
                onChange={(to) => onFavorite(blueprint.id, to)}
              />
            }
          />
        ),
      }))}
    />
  );
}
