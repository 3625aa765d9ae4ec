import { Button, Dialog, Flex } from '@radix-ui/themes';
import { useState, type ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { SubmitFailure } from '@/lib/submit-failure';
import { useReturnFocus } from '@/lib/use-return-focus';
import { common } from '@/messages/common';
import { DiscardDialog } from './discard-dialog';
import { Form } from './form';
import { FormError } from './form-error';
import { SubmitButton } from './submit-button';

interface FormDialogProps<T extends FieldValues, Output> {
  title: string;
  description: string;
  form: UseFormReturn<T, unknown, Output>;
  submitLabel: ReactNode;
  /** Stands on the button while it is being sent. */
  busyLabel?: string | undefined;
  /** Saves only what has been changed. */
  onlyChanged?: boolean | undefined;
  maxWidth?: string;
  onSubmit: (values: Output) => Promise<SubmitFailure | null>;
  onDone?: (() => void) | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog. It closes when it has been saved, and asks before what was typed is lost by a slip. */
export function FormDialog<T extends FieldValues, Output>(props: FormDialogProps<T, Output>) {
  const {
    title,
    description,
    form,
    submitLabel,
    busyLabel,
    onlyChanged,
    maxWidth = '520px',
    children,
  } = props;
  const { onSubmit, onDone, onClose } = props;
  const { isDirty } = form.formState;
  const [asking, setAsking] = useState(false);
  const returnFocus = useReturnFocus();

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Content
        maxWidth={maxWidth}
        {...returnFocus}
        onPointerDownOutside={(event) => event.preventDefault()}
        onEscapeKeyDown={(event) => {
          if (!isDirty) return;
          event.preventDefault();
          setAsking(true);
        }}
      >
        <Dialog.Title>{title}</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          {description}
        </Dialog.Description>
        <Form
          form={form}
          onSubmit={onSubmit}
          onDone={() => {
            onClose();
            onDone?.();
          }}
        >
          {children}
          <FormError />
          <Flex gap="3" justify="end" mt="1">
            <Button type="button" variant="soft" color="gray" onClick={onClose}>
              {common('cancel')}
            </Button>
            <SubmitButton busyLabel={busyLabel} onlyChanged={onlyChanged}>
              {submitLabel}
            </SubmitButton>
          </Flex>
        </Form>
        <DiscardDialog open={asking} onKeep={() => setAsking(false)} onDiscard={onClose} />
      </Dialog.Content>
    </Dialog.Root>
  );
}
