import { Button, Flex } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import type { SubmitFailure } from '@/lib/submit-failure';
import { useIsShown } from '@/lib/use-is-shown';
import { common } from '@/messages/common';
import { Form } from './form';
import { FormError } from './form-error';
import styles from './form.module.css';
import { GuardedDialog } from './guarded-dialog';
import { SubmitButton } from './submit-button';

interface FormDialogProps<T extends FieldValues, Output> {
  title: string;
  /** Left out if the title says it all. */
  description?: string | undefined;
  form: UseFormReturn<T, unknown, Output>;
  submitLabel: ReactNode;
  /** The label of the button while the form is being sent. */
  busyLabel?: string | undefined;
  /** Only a form with changes can be saved. */
  onlyChanged?: boolean | undefined;
  /** What the rules say of the form as a whole, if it is not of one field. */
  problem?: string | undefined;
  /** Tries again what that problem is about. */
  onRetry?: (() => void) | undefined;
  /** What sending it does instead for now. */
  instead?: (() => void) | undefined;
  /** It cannot be sent yet. */
  waiting?: boolean | undefined;
  maxWidth?: string;
  onSubmit: (values: Output) => Promise<SubmitFailure | null>;
  onDone?: (() => void) | undefined;
  onClose: () => void;
  children: ReactNode;
}

/** A form in a dialog. It closes when it has been saved, and asks before typed text is lost by mistake. */
export function FormDialog<T extends FieldValues, Output>(props: FormDialogProps<T, Output>) {
  const {
    title,
    description,
    form,
    submitLabel,
    busyLabel,
    onlyChanged,
    problem,
    onRetry,
    instead,
    waiting,
    maxWidth = '520px',
    children,
  } = props;
  const { onSubmit, onDone, onClose } = props;
  const { isDirty } = form.formState;
  const isShown = useIsShown();

  return (
    <GuardedDialog {...{ title, description, maxWidth, isDirty, onClose }}>
      <Form
        form={form}
        onSubmit={onSubmit}
        instead={instead}
        onDone={() => {
          // If it was closed meanwhile, another one may be open in its place.
          if (isShown()) onClose();
          onDone?.();
        }}
      >
        {children}
        {/* In view together with the buttons, however long the form is. */}
        <Flex direction="column" gap="3" className={styles.dialogFoot}>
          <FormError problem={problem} onRetry={onRetry} />
          <Flex gap="3" justify="end">
            <Button type="button" variant="soft" color="gray" onClick={onClose}>
              {common('cancel')}
            </Button>
            <SubmitButton busyLabel={busyLabel} onlyChanged={onlyChanged} disabled={waiting}>
              {submitLabel}
            </SubmitButton>
          </Flex>
        </Flex>
      </Form>
    </GuardedDialog>
  );
}
