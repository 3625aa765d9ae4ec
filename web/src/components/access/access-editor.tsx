import { Button, Flex, Skeleton, Text, VisuallyHidden } from '@radix-ui/themes';
import { useState } from 'react';
import { changedGrants, granteeKey, withChange, type GrantChange } from '@/lib/access';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import type { Grant } from '@/lib/wire';
import { access as t } from '@/messages/access';
import { common } from '@/messages/common';
import { AccessList } from './access-list';
import { GranteeSearch, type Candidates } from './grantee-search';
import { ShareMode } from './share-mode';

/** What an editor of access shows, and the calls that it makes to its parent. */
export interface AccessEditing {
  /** All but the owner see the list and cannot change it. */
  editable: boolean;
  /** Whether people can be given the right to change it, and not only to see it. */
  canWrite: boolean;
  status: LoadStatus;
  grants: readonly DeepReadonly<Grant>[];
  /** People and teams that it can be shared with and that match the search. */
  candidates: Candidates;
  words: string;
  onWords: (words: string) => void;
  onRetry: () => void;
}

interface AccessEditorProps extends AccessEditing {
  /** The changes that are not saved yet. */
  changes: readonly GrantChange[];
  onChanges: (changes: GrantChange[]) => void;
  /** Whether the list of results is open: the first Escape in a dialog closes the list. */
  searching: boolean;
  onSearching: (searching: boolean) => void;
}

/** The people and teams with access, and a search for more to add. The parent keeps the changes and saves them. */
export function AccessEditor(props: AccessEditorProps) {
  const { editable, canWrite, status, grants, candidates, words, changes, searching } = props;
  const { onWords, onRetry, onChanges, onSearching } = props;
  const [told, setTold] = useState('');
  const rows = changedGrants(grants, changes);
  const taken = new Set(rows.map((row) => granteeKey(row.actor)));
  const found = candidates.found.filter(
    (actor) => !taken.has(granteeKey(actor)) && actor.type !== 'organization',
  );

  function change(next: GrantChange): void {
    onChanges(withChange(grants, changes, next));
    setTold(t(`told.${next.permission}`, { name: next.actor.name }));
  }

  return (
    <div>
      {editable && <ShareMode />}
      {editable && status === 'fetched' && (
        <GranteeSearch
          {...candidates}
          found={found}
          words={words}
          onWords={onWords}
          open={searching}
          onOpen={onSearching}
          onPick={(actor) => change({ actor, permission: 'read' })}
        />
      )}
      <Flex direction="column" mt="3">
        {status !== 'failed' && status !== 'fetched' && <Skeleton height="120px" aria-label={t('loading')} />}
        {status === 'failed' && (
          <Flex align="center" gap="3" role="alert">
            <Text size="2" color="red">
              {t('failed')}
            </Text>
            <Button type="button" size="1" variant="soft" onClick={onRetry}>
              {common('retry')}
            </Button>
          </Flex>
        )}
        {status === 'fetched' && (
          <AccessList rows={rows} words={words} editable={editable} canWrite={canWrite} onChange={change} />
        )}
        {/* The row appears or disappears at another place than the one where the key was pressed. */}
        <VisuallyHidden role="status">{told}</VisuallyHidden>
      </Flex>
    </div>
  );
}
