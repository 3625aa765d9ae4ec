import { Button, Dialog, Flex, Skeleton, Text } from '@radix-ui/themes';
import { useEffect, useState } from 'react';
import { ProjectChoice } from '@/components/project/project-choice';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { isFirstLoad } from '@/lib/load-status';
import { useList } from '@/lib/use-collection';
import { useReturnFocus } from '@/lib/use-return-focus';
import type { Conversation } from '@/lib/wire';
import { common } from '@/messages/common';
import { conversation as t } from '@/messages/conversation';
import { projectLabels as labels } from '@/stores/project-labels-store';
import { setProjects } from './conversation-actions';

interface ProjectDialogProps {
  conversation: DeepReadonly<Conversation>;
  onClose: () => void;
}

/** Adds a conversation to projects, and removes it from others. */
export function ProjectDialog({ conversation, onClose }: ProjectDialogProps) {
  const { id, projectLabels } = conversation;
  const { items: projects, status } = useList(labels, undefined);
  const [chosen, setChosen] = useState<readonly number[]>(projectLabels);
  const [busy, setBusy] = useState(false);
  const returnFocus = useReturnFocus();
  const same = chosen.length === projectLabels.length && chosen.every((one) => projectLabels.includes(one));

  useEffect(() => {
    // Loads projects that others have made since; if the first load is still running, it contains them.
    if (!isFirstLoad(status)) void labels.refresh();
  }, []); // eslint-disable-line react-hooks/exhaustive-deps -- once, when the dialog opens

  async function save(): Promise<void> {
    setBusy(true);
    const done = await setProjects(id, [...chosen]);
    setBusy(false);
    if (done) onClose();
  }

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Content maxWidth="440px" {...returnFocus}>
        <Dialog.Title>{t('projects.title')}</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          {t('projects.text')}
        </Dialog.Description>
        {isFirstLoad(status) ? (
          <Skeleton height="120px" aria-label={common('loading')} />
        ) : status === 'failed' && projects.length === 0 ? (
          <Flex align="center" gap="3">
            <Text size="2" color="red">
              {t('projects.failed')}
            </Text>
            <Button size="1" variant="soft" onClick={() => void labels.refresh(undefined)}>
              {common('retry')}
            </Button>
          </Flex>
        ) : (
          <ProjectChoice projects={projects} value={chosen} onChange={setChosen} />
        )}
        <Flex gap="3" mt="5" justify="end">
          <Button variant="soft" color="gray" onClick={onClose}>
            {common('cancel')}
          </Button>
          <Button disabled={same} loading={busy} onClick={() => void save()}>
            {common('save')}
          </Button>
        </Flex>
      </Dialog.Content>
    </Dialog.Root>
  );
}
