import { Text } from '@radix-ui/themes';
import { Plus } from 'lucide-react';
import { Link } from 'react-router';
import type { AddEntity } from './entity';
import { mainMark } from './use-arrow-keys';
import styles from './add-card.module.css';

/** The card at the front of a list that makes a new entity; with `compact` it is a row above the list. */
export function AddCard({ compact = false, ...add }: AddEntity & { compact?: boolean }) {
  const look = { className: styles.add, ...(compact && { 'data-compact': true }) };
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
      <Link to={add.to} {...look} {...mainMark}>
        {content}
      </Link>
    );
  }
  return (
    <button
      type="button"
      {...look}
      {...mainMark}
      disabled={add.disabledReason !== undefined}
      {...('onAdd' in add && { onClick: add.onAdd })}
    >
      {content}
    </button>
  );
}
