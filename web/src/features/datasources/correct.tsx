import { Button, Dialog, Flex, Text, TextField, VisuallyHidden } from '@radix-ui/themes';
import { useId, useState } from 'react';
import { limitsOfCorrectionRequest as limits } from '@/api/limits.gen';
import { shorten } from '@/lib/text';
import { useReturnFocus } from '@/lib/use-return-focus';
import type { Correction, CorrectionRequest } from '@/lib/wire';
import { common } from '@/messages/common';
import { meaning as t } from '@/messages/meaning';
import { correct, correctAtOnce } from '@/stores/meaning-store';

interface CorrectButtonProps {
  /** The text of the button, and its name for screen readers, which also says what it is about. */
  label: string;
  name: string;
  disabled?: boolean;
  /** What it says about which connector; else what it does. */
  sourceId?: number;
  says?: CorrectionRequest;
  onPress?: () => void;
}

/** A small button that corrects what the data mean. */
export function CorrectButton({
  label,
  name,
  disabled = false,
  sourceId,
  says,
  onPress,
}: CorrectButtonProps) {
  return (
    <Button
      size="1"
      variant="soft"
      color="gray"
      aria-label={name}
      disabled={disabled}
      onClick={() => {
        if (says !== undefined && sourceId !== undefined) void correctAtOnce(sourceId, says);
        else onPress?.();
      }}
    >
      {label}
    </Button>
  );
}

/** A correction whose value is typed. */
export interface Asked {
  table: string;
  column: string;
  field: Extract<Correction['field'], 'row' | 'unit' | 'scale' | 'words' | 'verbs'>;
  initial: string;
  /** The column, or the table, as people write it. */
  label: string;
}

interface MeaningEditorProps {
  sourceId: number;
  asked: Asked;
  onClose: () => void;
}

/** Asks for the value of a correction, and for a reason. */
export function MeaningEditor({ sourceId, asked, onClose }: MeaningEditorProps) {
  const { table, column, field, initial, label } = asked;
  const id = useId();
  const [value, setValue] = useState(initial);
  const [reason, setReason] = useState('');
  const [problem, setProblem] = useState('');
  const [busy, setBusy] = useState(false);
  const returnFocus = useReturnFocus();
  const title = t(`ask.${field}`, { column: label });

  async function save(): Promise<void> {
    setBusy(true);
    const refused = await correct(sourceId, { table, column, field, value, reason });
    setBusy(false);
    if (refused === '') onClose();
    else setProblem(refused);
  }

  return (
    <Dialog.Root open onOpenChange={(open) => !open && !busy && onClose()}>
      <Dialog.Content maxWidth="440px" {...returnFocus}>
        <Dialog.Title size="4">{title}</Dialog.Title>
        <VisuallyHidden>
          <Dialog.Description>{t('intro.edit')}</Dialog.Description>
        </VisuallyHidden>
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void save();
          }}
        >
          <TextField.Root
            aria-label={title}
            value={value}
            disabled={busy}
            aria-invalid={problem !== ''}
            aria-describedby={`${id}-hint ${id}-problem`}
            onFocus={(event) => event.currentTarget.select()}
            onChange={(event) => {
              setValue(shorten(event.target.value, limits.value.characters));
              setProblem('');
            }}
          />
          <Text as="p" id={`${id}-hint`} size="1" color="gray" mt="1">
            {t(`ask.${field}.hint`)}
          </Text>
          <Text as="p" id={`${id}-problem`} size="1" color="red" mt="1" role="alert">
            {problem}
          </Text>
          <Text as="label" size="2" weight="medium" htmlFor={`${id}-reason`}>
            {t('ask.reason')}
          </Text>
          <TextField.Root
            id={`${id}-reason`}
            mt="1"
            value={reason}
            disabled={busy}
            onChange={(event) => setReason(shorten(event.target.value, limits.reason.characters))}
          />
          <Flex gap="3" mt="4" justify="end">
            <Dialog.Close>
              <Button type="button" variant="soft" color="gray" disabled={busy}>
                {common('cancel')}
              </Button>
            </Dialog.Close>
            <Button type="submit" loading={busy} disabled={value.trim() === ''}>
              {t('ask.save')}
            </Button>
          </Flex>
        </form>
      </Dialog.Content>
    </Dialog.Root>
  );
}
