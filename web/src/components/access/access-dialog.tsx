import { Button, Flex } from '@radix-ui/themes';
import { useState } from 'react';
import { GuardedDialog } from '@/components/form/guarded-dialog';
import type { GrantChange } from '@/lib/access';
import { access as t } from '@/messages/access';
import { common } from '@/messages/common';
import { AccessEditor, type AccessEditing } from './access-editor';

interface AccessDialogProps extends AccessEditing {
  /** What sharing it means, in a sentence; for all but the owner, that they cannot share it. */
  text: string;
  saving: boolean;
  /** Returns whether it was saved; if not, the dialog stays open. */
  onSave: (changes: readonly GrantChange[]) => Promise<boolean>;
  onClose: () => void;
}

/** The people and teams with access to something; its owner can change them here. */
export function AccessDialog({ text, saving, onSave, onClose, ...editing }: AccessDialogProps) {
  const { editable } = editing;
  const [changes, setChanges] = useState<readonly GrantChange[]>([]);
  const [searching, setSearching] = useState(false);

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
        // The first Escape closes the list of results, the next one the dialog.
        setSearching(false);
        return searching;
      }}
      onClose={onClose}
    >
      <AccessEditor
        {...editing}
        changes={changes}
        onChanges={setChanges}
        searching={searching}
        onSearching={setSearching}
      />
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
