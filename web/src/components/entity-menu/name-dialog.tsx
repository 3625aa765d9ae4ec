import { Button, Dialog, Flex, Text, TextField, VisuallyHidden } from '@radix-ui/themes';
import { useId, useState } from 'react';
import { useReturnFocus } from '@/lib/use-return-focus';
import { characterCount } from '@/lib/text';
import { common } from '@/messages/common';
import { entityMenu as t } from '@/messages/entity-menu';
import type { NameAsked } from './actions';

interface NameDialogProps extends Omit<NameAsked, 'disabledReason'> {
  initial: string;
  confirmLabel: string;
  /** The initial name can be kept, as for a copy. */
  unchangedAllowed?: boolean;
  onClose: () => void;
}

/** Asks for a name: of a copy, or a new one. */
export function NameDialog(props: NameDialogProps) {
  const { title, initial, max, confirmLabel, unchangedAllowed = false, onConfirm, onClose } = props;
  const id = useId();
  const [name, setName] = useState(initial);
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const returnFocus = useReturnFocus();

  async function confirm(): Promise<void> {
    const given = name.trim();
    if (given === '') {
      setProblem(t('name.required'));
      return;
    }
    if (characterCount(given) > max) {
      setProblem(t('name.long', { max }));
      return;
    }
    if (given === initial && !unchangedAllowed) {
      onClose();
      return;
    }
    setProblem('');
    setBusy(true);
    const outcome = await onConfirm(given);
    setBusy(false);
    if (outcome === true) onClose();
    else if (typeof outcome === 'string') setProblem(outcome);
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && !busy && onClose()}>
      <Dialog.Content maxWidth="440px" {...returnFocus}>
        <Dialog.Title>{title}</Dialog.Title>
        <VisuallyHidden>
          <Dialog.Description>{title}</Dialog.Description>
        </VisuallyHidden>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void confirm();
          }}
        >
          <Text as="label" size="2" weight="medium" htmlFor={id}>
            {t('name')}
          </Text>
          <TextField.Root
            id={id}
            mt="1"
            value={name}
            disabled={busy}
            aria-invalid={problem !== ''}
            aria-describedby={`${id}-problem`}
            {...(problem !== '' && { color: 'red' as const })}
            // The whole name is selected, because people mostly type a different one.
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => {
              setName(event.target.value);
              setProblem('');
            }}
          />
          <Text as="p" id={`${id}-problem`} size="1" color="red" mt="1" role="alert">
            {problem}
          </Text>
          <Flex gap="3" mt="4" justify="end">
            <Dialog.Close>
              <Button type="button" variant="soft" color="gray" disabled={busy}>
                {common('cancel')}
              </Button>
            </Dialog.Close>
            <Button type="submit" loading={busy}>
              {confirmLabel}
            </Button>
          </Flex>
        </form>
      </Dialog.Content>
    </Dialog.Root>
  );
}
