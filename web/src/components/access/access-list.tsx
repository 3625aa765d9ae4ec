import { Button, Text } from '@radix-ui/themes';
import { useState } from 'react';
import { granteeKey, type GrantChange } from '@/lib/access';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Grant } from '@/lib/wire';
import { access as t } from '@/messages/access';
import { common } from '@/messages/common';
import { AccessRow } from './access-row';
import styles from './access.module.css';

interface AccessListProps {
  rows: readonly DeepReadonly<Grant>[];
  /** The search filters those who have access, too. */
  words: string;
  editable: boolean;
  canWrite: boolean;
  onChange: (change: GrantChange) => void;
}

/** The number of rows that are shown at first, and that each press adds. */
const step = 50;

/** Those who have access, the owner first. */
export function AccessList({ rows, words, editable, canWrite, onChange }: AccessListProps) {
  const [limit, setLimit] = useState(step);
  const needle = words.trim().toLowerCase();
  const found = rows.filter((row) => row.actor.name.toLowerCase().includes(needle));

  if (found.length === 0) {
    return (
      <Text as="p" size="2" color="gray">
        {t('nobody')}
      </Text>
    );
  }
  return (
    <div className={styles.scroll}>
      <ul className={styles.grants} aria-label={t('list')}>
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
      {found.length > limit && (
        <Button mt="3" variant="soft" color="gray" onClick={() => setLimit(limit + step)}>
          {common('more')}
        </Button>
      )}
    </div>
  );
}
