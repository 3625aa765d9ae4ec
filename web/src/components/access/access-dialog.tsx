import { Button, Flex, Skeleton, Text, VisuallyHidden } from '@radix-ui/themes';
import { useState } from 'react';
import { GuardedDialog } from '@/components/form/guarded-dialog';
import { changedGrants, granteeKey, withChange, type GrantChange } from '@/lib/access';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import type { Grant } from '@/lib/wire';
import { access as t } from '@/messages/access';
import { common } from '@/messages/common';
import { AccessList } from './access-list';
import { GranteeSearch, type Candidates } from './grantee-search';
import { ShareMode } from './share-mode';

interface AccessDialogProps {
  /** What sharing it means, in a sentence; for others than the owner, that they cannot. */
  text: string;
  /** Others than the owner see the list and change nothing. */
  editable: boolean;
  /** Whether people can be let in to change it, and not only to see it. */
  canWrite: boolean;
  status: LoadStatus;
  grants: readonly DeepReadonly<Grant>[];
  /** People and teams that it can be shared with, as far as the words let through. */
  candidates: Candidates;
  words: string;
  onWords: (words: string) => void;
  saving: boolean;
  onRetry: () => void;
  /** Answers whether it was done; the dialog stays as it is otherwise. */
  onSave: (changes: readonly GrantChange[]) => Promise<boolean>;
  onClose: () => void;
}

/** Who has access to something, and, for its owner, the way to change that. */
export function AccessDialog(props: AccessDialogProps) {
  const { text, editable, canWrite, status, grants, candidates, words, saving } = props;
  const { onWords, onRetry, onSave, onClose } = props;
  const [changes, setChanges] = useState<readonly GrantChange[]>([]);
  const [searching, setSearching] = useState(false);
  const rows = changedGrants(grants, changes);
  const taken = new Set(rows.map((row) => granteeKey(row.actor)));
  const found = candidates.found.filter(
    (actor) => !taken.has(granteeKey(actor)) && actor.type !== 'organization',
  );
  const [told, setTold] = useState('');

  function change(next: GrantChange): void {
    setChanges(withChange(grants, changes, next));
    setTold(t(`told.${next.permission}`, { name: next.actor.name }));
  }

  async function save(): Promise<void> {
    if (await onSave(changes)) onClose();
  }

  return (
    <GuardedDialog
      title={t('title')}
      description={text}
      maxWidth="480px"
      isDirty={changes.length > 0}
      onEscape={() => {
        // The first Escape closes the list of those found, the next one the dialog.
        setSearching(false);
        return searching;
      }}
      onClose={onClose}
    >
      {editable && <ShareMode />}
      {editable && status === 'fetched' && (
        <GranteeSearch
          {...candidates}
          found={found}
          words={words}
          onWords={onWords}
          open={searching}
          onOpen={setSearching}
          onPick={(actor) => change({ actor, permission: 'read' })}
        />
      )}
      <Flex direction="column" mt="3">
        {status === 'fetching' && <Skeleton height="120px" aria-label={common('loading')} />}
        {status === 'failed' && (
          <Flex align="center" gap="3">
            <Text size="2" color="red">
              {t('failed')}
            </Text>
            <Button size="1" variant="soft" onClick={onRetry}>
              {common('retry')}
            </Button>
          </Flex>
        )}
        {status === 'fetched' && (
          <AccessList rows={rows} words={words} editable={editable} canWrite={canWrite} onChange={change} />
        )}
        {/* The row comes or goes elsewhere in the dialog than where the key was pressed. */}
        <VisuallyHidden role="status">{told}</VisuallyHidden>
      </Flex>
      <Flex gap="3" mt="5" justify="end">
        <Button variant="soft" color="gray" onClick={onClose}>
          {editable ? common('cancel') : common('close')}
        </Button>
        {editable && (
          <Button disabled={changes.length === 0} loading={saving} onClick={() => void save()}>
            {common('save')}
          </Button>
        )}
      </Flex>
    </GuardedDialog>
  );
}
