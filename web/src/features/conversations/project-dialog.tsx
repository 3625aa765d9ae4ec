import { Button, Dialog, Flex, Skeleton, Text } from '@radix-ui/themes';
import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { ProjectChoice } from '@/components/project/project-choice';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { isFirstLoad } from '@/lib/load-status';
import { useReturnFocus } from '@/lib/use-return-focus';
import type { Conversation } from '@/lib/wire';
import { loadProjectLabels, projectLabelsState } from '@/stores/project-labels-store';
import { setProjects } from './conversation-actions';

interface ProjectDialogProps {
  conversation: DeepReadonly<Conversation>;
  onClose: () => void;
}

/** Puts a conversation into projects, and takes it out of others. */
export function ProjectDialog({ conversation, onClose }: ProjectDialogProps) {
  const { id, projectLabels } = conversation;
  const { labels, status } = useSnapshot(projectLabelsState);
  const [chosen, setChosen] = useState<readonly number[]>(projectLabels);
  const [busy, setBusy] = useState(false);
  const returnFocus = useReturnFocus();
  const same = chosen.length === projectLabels.length && chosen.every((one) => projectLabels.includes(one));

  useEffect(() => {
    void loadProjectLabels();
  }, []);

  async function save(): Promise<void> {
    setBusy(true);
    const done = await setProjects(id, [...chosen]);
    setBusy(false);
    if (done) onClose();
  }

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Content maxWidth="440px" {...returnFocus}>
        <Dialog.Title>Add to project</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          Everybody who sees the conversation sees its projects.
        </Dialog.Description>
        {isFirstLoad(status) ? (
          <Skeleton height="120px" aria-label="Loading" />
        ) : status === 'failed' && labels.length === 0 ? (
          <Flex align="center" gap="3">
            <Text size="2" color="red">
              The projects could not be loaded.
            </Text>
            <Button size="1" variant="soft" onClick={() => void loadProjectLabels()}>
              Try again
            </Button>
          </Flex>
        ) : (
          <ProjectChoice projects={labels} value={chosen} onChange={setChosen} />
        )}
        <Flex gap="3" mt="5" justify="end">
          <Button variant="soft" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={same} loading={busy} onClick={() => void save()}>
            Save
          </Button>
        </Flex>
      </Dialog.Content>
    </Dialog.Root>
  );
}
