import { Text } from '@radix-ui/themes';
import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import type { AddEntity } from './entity';
import { mainMark } from './use-arrow-keys';
import styles from './add-card.module.css';

/** The card at the front of a list that makes a new entity. */
export function AddCard(add: AddEntity) {
  const content = (
    <>
      <Plus size={20} aria-hidden="true" />
      <Text size="2" weight="medium">
        {add.label}
      </Text>
      {add.disabledReason !== undefined && (
        <Text size="1" color="gray">
          {add.disabledReason}
        </Text>
      )}
    </>
  );
  if ('to' in add && add.disabledReason === undefined) {
    return (
      <Link to={add.to} className={styles.add} {...mainMark}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      className={styles.add}
      {...mainMark}
      disabled={add.disabledReason !== undefined}
      {...('onAdd' in add && { onClick: add.onAdd })}
    >
      {content}
    </button>
  );
}
