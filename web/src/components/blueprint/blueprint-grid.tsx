import { Skeleton } from '@radix-ui/themes';
import { BlueprintCard, type BlueprintActions, type BlueprintSummary } from './blueprint-card';
import styles from './blueprint.module.css';

interface BlueprintGridProps extends BlueprintActions {
  label: string;
  blueprints: readonly BlueprintSummary[];
  showOwner?: boolean | undefined;
}

/** Blueprints as cards side by side, as many as there is room for. */
export function BlueprintGrid({ label, blueprints, ...card }: BlueprintGridProps) {
  return (
    <ul className={styles.grid} aria-label={label}>
      {blueprints.map((blueprint) => (
        <li key={blueprint.id}>
          <BlueprintCard blueprint={blueprint} {...card} />
        </li>
      ))}
    </ul>
  );
}

/** Stands in for the cards while they load. */
export function BlueprintSkeletons() {
  return (
    <div className={styles.grid} role="status" aria-label="Loading blueprints">
      {[1, 2, 3].map((key) => (
        <Skeleton key={key} height="230px" />
      ))}
    </div>
  );
}
