import {
  Avatar,
  Badge,
  Button,
  Dialog,
  Flex,
  IconButton,
  Select,
  Skeleton,
  Text,
  Tooltip,
} from '@radix-ui/themes';
import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { initials } from '@/lib/format';
import type { Grant, Grantee } from '@/lib/wire';
import { accessState, loadAccess, saveAccess } from '@/stores/access-store';
import styles from './conversations.module.css';

interface AccessDialogProps {
  conversationId: string;
  /** Others than the owner see the list and change nothing. */
  editable: boolean;
  onClose: () => void;
}

const keyOf = (actor: DeepReadonly<Grantee>): string => `${actor.type}-${actor.id}`;

/** Who may see the conversation, and, for its owner, the way to change that. */
export function AccessDialog({ conversationId, editable, onClose }: AccessDialogProps) {
  const { status, grants, candidates, saving } = useSnapshot(accessState);
  const [added, setAdded] = useState<readonly DeepReadonly<Grantee>[]>([]);
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());

  useEffect(() => {
    void loadAccess(conversationId);
  }, [conversationId]);

  const kept = grants.filter((grant) => !removed.has(keyOf(grant.actor)));
  const rows: DeepReadonly<Grant>[] = [
    ...kept,
    ...added.map((actor) => ({ actor, permission: 'read' as const })),
  ];
  const taken = new Set(rows.map((row) => keyOf(row.actor)));
  const free = candidates.filter((actor) => !taken.has(keyOf(actor)) && actor.type !== 'organization');
  const changed = added.length > 0 || removed.size > 0;

  function add(key: string): void {
    const actor = candidates.find((candidate) => keyOf(candidate) === key);
    if (!actor) return;
    // Whoever was taken out a moment ago is put back, not added a second time.
    if (removed.has(key)) setRemoved(new Set([...removed].filter((other) => other !== key)));
    else setAdded([...added, actor]);
  }

  function remove(actor: DeepReadonly<Grantee>): void {
    const key = keyOf(actor);
    if (added.some((other) => keyOf(other) === key)) {
      setAdded(added.filter((other) => keyOf(other) !== key));
    } else {
      setRemoved(new Set([...removed, key]));
    }
  }

  async function save(): Promise<void> {
    const gone = grants.filter((grant) => removed.has(keyOf(grant.actor)));
    const done = await saveAccess(conversationId, [
      ...added.map(({ id, type }) => ({ id, type, permission: 'read' as const })),
      ...gone.map(({ actor }) => ({ id: actor.id, type: actor.type, permission: 'remove' as const })),
    ]);
    if (done) onClose();
  }

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Content maxWidth="480px">
        <Dialog.Title>Manage access</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          {editable
            ? 'People and teams that you add can view this conversation, live.'
            : 'Only the owner can change who sees this conversation.'}
        </Dialog.Description>
        {editable && status === 'fetched' && (
          <Select.Root value="" onValueChange={add} disabled={free.length === 0}>
            <Select.Trigger
              placeholder={free.length === 0 ? 'Nobody else to add' : 'Add a person or a team'}
              aria-label="Add a person or a team"
            />
            <Select.Content position="popper">
              {free.map((actor) => (
                <Select.Item key={keyOf(actor)} value={keyOf(actor)}>
                  {actor.name}
                  {actor.type === 'team' ? ' (team)' : ''}
                </Select.Item>
              ))}
            </Select.Content>
          </Select.Root>
        )}
        <Flex direction="column" mt="3">
          {status === 'fetching' && <Skeleton height="120px" aria-label="Loading" />}
          {status === 'failed' && (
            <Flex align="center" gap="3">
              <Text size="2" color="red">
                Who has access could not be loaded.
              </Text>
              <Button size="1" variant="soft" onClick={() => void loadAccess(conversationId)}>
                Try again
              </Button>
            </Flex>
          )}
          {status === 'fetched' && (
            <ul className={styles.grants} aria-label="People and teams with access">
              {rows.map(({ actor, permission }) => (
                <li key={keyOf(actor)} className={styles.grant}>
                  <Avatar
                    size="2"
                    radius={actor.type === 'team' ? 'medium' : 'full'}
                    fallback={initials(actor.name)}
                    alt=""
                    {...(actor.picture !== '' && { src: actor.picture })}
                  />
                  <Text size="2" truncate className={styles.grantName ?? ''}>
                    {actor.name}
                  </Text>
                  <Badge color="gray">{permission === 'owner' ? 'owner' : 'Can view'}</Badge>
                  {editable && permission !== 'owner' && (
                    <Tooltip content="Remove">
                      <IconButton
                        size="1"
                        variant="ghost"
                        color="gray"
                        aria-label={`Remove ${actor.name}`}
                        onClick={() => remove(actor)}
                      >
                        <X size={15} />
                      </IconButton>
                    </Tooltip>
                  )}
                </li>
              ))}
            </ul>
          )}
        </Flex>
        <Flex gap="3" mt="5" justify="end">
          <Button variant="soft" color="gray" onClick={onClose}>
            {editable ? 'Cancel' : 'Close'}
          </Button>
          {editable && (
            <Button disabled={!changed} loading={saving} onClick={() => void save()}>
              Save
            </Button>
          )}
        </Flex>
      </Dialog.Content>
    </Dialog.Root>
  );
}
