import { Button, Dialog, Flex, Select, Skeleton, Text, TextField } from '@radix-ui/themes';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { changedGrants, granteeKey, withChange, type GrantChange } from '@/lib/access';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { LoadStatus } from '@/lib/load-status';
import { searchMax } from '@/lib/search';
import { useReturnFocus } from '@/lib/use-return-focus';
import type { Grant, Grantee } from '@/lib/wire';
import { AccessRow } from './access-row';
import styles from './access.module.css';

interface AccessDialogProps {
  /** What sharing it means, in a sentence; for others than the owner, that they cannot. */
  text: string;
  /** Others than the owner see the list and change nothing. */
  editable: boolean;
  /** Whether people can be let in to change it, and not only to see it. */
  canWrite: boolean;
  status: LoadStatus;
  grants: readonly DeepReadonly<Grant>[];
  /** People and teams that it can be shared with, as far as the search lets through. */
  candidates: readonly DeepReadonly<Grantee>[];
  /** Shown where there are more people than one list holds. */
  search: { words: string; onSearch: (words: string) => void } | null;
  saving: boolean;
  onRetry: () => void;
  /** Answers whether it was done; the dialog stays as it is otherwise. */
  onSave: (changes: readonly GrantChange[]) => Promise<boolean>;
  onClose: () => void;
}

/** Who has access to something, and, for its owner, the way to change that. */
export function AccessDialog(props: AccessDialogProps) {
  const { text, editable, canWrite, status, grants, candidates, search, saving } = props;
  const { onRetry, onSave, onClose } = props;
  const [changes, setChanges] = useState<readonly GrantChange[]>([]);
  const returnFocus = useReturnFocus();
  const rows = changedGrants(grants, changes);
  const taken = new Set(rows.map((row) => granteeKey(row.actor)));
  const free = candidates.filter((actor) => !taken.has(granteeKey(actor)) && actor.type !== 'organization');
  const change = (next: GrantChange): void => setChanges(withChange(grants, changes, next));
  const nobody = search?.words === '' || search === null ? 'Nobody else to add' : 'Nobody found';

  async function save(): Promise<void> {
    if (await onSave(changes)) onClose();
  }

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Content maxWidth="480px" {...returnFocus}>
        <Dialog.Title>Manage access</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          {text}
        </Dialog.Description>
        {editable && status === 'fetched' && (
          <Flex gap="3" wrap="wrap">
            {search && (
              <TextField.Root
                placeholder="Search people and teams"
                aria-label="Search people and teams"
                maxLength={searchMax}
                value={search.words}
                onChange={(event) => search.onSearch(event.target.value)}
              >
                <TextField.Slot>
                  <Search size={16} />
                </TextField.Slot>
              </TextField.Root>
            )}
            <Select.Root
              value=""
              disabled={free.length === 0}
              onValueChange={(key) => {
                const actor = free.find((candidate) => granteeKey(candidate) === key);
                if (actor) change({ actor, permission: 'read' });
              }}
            >
              <Select.Trigger
                placeholder={free.length === 0 ? nobody : 'Add a person or a team'}
                aria-label="Add a person or a team"
              />
              <Select.Content position="popper">
                {free.map((actor) => (
                  <Select.Item key={granteeKey(actor)} value={granteeKey(actor)}>
                    {actor.name}
                    {actor.type === 'team' ? ' (team)' : ''}
                  </Select.Item>
                ))}
              </Select.Content>
            </Select.Root>
          </Flex>
        )}
        <Flex direction="column" mt="3">
          {status === 'fetching' && <Skeleton height="120px" aria-label="Loading" />}
          {status === 'failed' && (
            <Flex align="center" gap="3">
              <Text size="2" color="red">
                Who has access could not be loaded.
              </Text>
              <Button size="1" variant="soft" onClick={onRetry}>
                Try again
              </Button>
            </Flex>
          )}
          {status === 'fetched' && (
            <ul className={styles.grants} aria-label="People and teams with access">
              {rows.map((grant) => (
                <AccessRow
                  key={granteeKey(grant.actor)}
                  grant={grant}
                  editable={editable && grant.permission !== 'owner'}
                  canWrite={canWrite}
                  onChange={change}
                />
              ))}
            </ul>
          )}
        </Flex>
        <Flex gap="3" mt="5" justify="end">
          <Button variant="soft" color="gray" onClick={onClose}>
            {editable ? 'Cancel' : 'Close'}
          </Button>
          {editable && (
            <Button disabled={changes.length === 0} loading={saving} onClick={() => void save()}>
              Save
            </Button>
          )}
        </Flex>
      </Dialog.Content>
    </Dialog.Root>
  );
}
