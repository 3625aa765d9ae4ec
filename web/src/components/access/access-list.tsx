import { Text } from '@radix-ui/themes';
import { useState } from 'react';
import { ShowMore } from '@/components/connector/show-more';
import { granteeKey, type GrantChange } from '@/lib/access';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Grant } from '@/lib/wire';
import { AccessRow } from './access-row';
import styles from './access.module.css';

interface AccessListProps {
  rows: readonly DeepReadonly<Grant>[];
  /** What is searched for narrows those who have access, too. */
  words: string;
  editable: boolean;
  canWrite: boolean;
  onChange: (change: GrantChange) => void;
}

/** So many rows are shown at first, and so many more at a time. */
const step = 50;

/** Those who have access, the owner first. */
export function AccessList({ rows, words, editable, canWrite, onChange }: AccessListProps) {
  const [limit, setLimit] = useState(step);
  const needle = words.trim().toLowerCase();
  const found = rows.filter((row) => row.actor.name.toLowerCase().includes(needle));

  if (found.length === 0) {
    return (
      <Text as="p" size="2" color="gray">
        Nobody of this name has access yet.
      </Text>
    );
  }
  return (
    <div className={styles.scroll}>
      <ul className={styles.grants} aria-label="People and teams with access">
        {found.slice(0, limit).map((grant) => (
          <AccessRow
            key={granteeKey(grant.actor)}
            grant={grant}
            editable={editable && grant.permission !== 'owner'}
            canWrite={canWrite}
            onChange={onChange}
          />
        ))}
      </ul>
      <ShowMore more={found.length > limit ? () => setLimit(limit + step) : null} gap="3" />
    </div>
  );
}
