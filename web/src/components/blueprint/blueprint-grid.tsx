import { Skeleton } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import { blueprints as t } from '@/messages/blueprints';
import { BlueprintCard, type BlueprintActions, type BlueprintSummary } from './blueprint-card';
import styles from './blueprint.module.css';

interface BlueprintGridProps extends BlueprintActions {
  label: string;
  blueprints: readonly BlueprintSummary[];
  showOwner?: boolean | undefined;
  /** Stands before the cards, such as one that makes a new blueprint. */
  first?: ReactNode;
}

/** Blueprints as cards side by side, as many as there is room for. */
export function BlueprintGrid({ label, blueprints, first, ...card }: BlueprintGridProps) {
  return (
    <ul className={styles.grid} aria-label={label}>
      {first !== undefined && <li>{first}</li>}
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
    <div className={styles.grid} role="status" aria-label={t('list.loading')}>
      {[1, 2, 3].map((key) => (
        <Skeleton key={key} height="230px" />
      ))}
    </div>
  );
}
