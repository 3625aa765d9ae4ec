import { AlertDialog, Button, Flex, Text } from '@radix-ui/themes';
import { useState, type ReactNode } from 'react';
import { useReturnFocus } from '@/lib/use-return-focus';
import { shorten } from '@/lib/text';
import { common } from '@/messages/common';
import { entityMenu as t } from '@/messages/entity-menu';
import type { ActionOutcome, EntityActions } from './actions';
import { NameDialog } from './name-dialog';

/** What the dialogs are told. */
export interface EntityActionDialogProps {
  name: string;
  actions: EntityActions;
  asking: 'rename' | 'duplicate' | 'archive' | 'remove' | null;
  onClose: () => void;
}

/** The dialog of the action that was chosen. It closes when the action is done, and stays where that failed. */
export function EntityActionDialogBody({ name, actions, asking, onClose }: EntityActionDialogProps) {
  const { rename, duplicate, archive, remove } = actions;
  if (asking === 'rename' && rename) {
    return (
      <NameDialog {...rename} initial={rename.initial ?? name} confirmLabel={t('rename')} onClose={onClose} />
    );
  }
  if (asking === 'duplicate' && duplicate) {
    const copy = shorten(t('duplicate.name', { name }), duplicate.max);
    return (
      <NameDialog
        {...duplicate}
        initial={duplicate.initial ?? copy}
        confirmLabel={t('duplicate')}
        unchangedAllowed
        onClose={onClose}
      />
    );
  }
  if (asking === 'archive' && archive) {
    return <AskDialog {...archive} confirmLabel={t('archive')} onClose={onClose} />;
  }
  if (asking === 'remove' && remove) {
    return <AskDialog {...remove} confirmLabel={t('delete')} destructive onClose={onClose} />;
  }
  return null;
}

interface AskDialogProps {
  title: string;
  text: ReactNode;
  confirmLabel: string;
  destructive?: boolean;
  onConfirm: () => Promise<ActionOutcome>;
  onClose: () => void;
}

function AskDialog({ title, text, confirmLabel, destructive = false, onConfirm, onClose }: AskDialogProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const returnFocus = useReturnFocus();

  async function confirm(): Promise<void> {
    setBusy(true);
    setFailure('');
    const outcome = await onConfirm();
    setBusy(false);
    if (outcome === true) onClose();
    else if (typeof outcome === 'string') setFailure(outcome);
  }

  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && !busy && onClose()}>
      <AlertDialog.Content maxWidth="440px" {...returnFocus}>
        <AlertDialog.Title>{title}</AlertDialog.Title>
        <AlertDialog.Description size="2" color="gray">
          {text}
        </AlertDialog.Description>
        {failure !== '' && (
          <Text as="p" size="2" color="red" mt="3" role="alert">
            {failure}
          </Text>
        )}
        <Flex gap="3" mt="5" justify="end">
          <AlertDialog.Cancel>
            <Button variant="soft" color="gray" disabled={busy}>
              {common('cancel')}
            </Button>
          </AlertDialog.Cancel>
          <Button
            {...(destructive && { color: 'red' as const })}
            loading={busy}
            onClick={() => void confirm()}
          >
            {confirmLabel}
          </Button>
        </Flex>
      </AlertDialog.Content>
    </AlertDialog.Root>
  );
}
