import { Button, Flex, Text } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { Form } from '@/components/form/form';
import { FormError } from '@/components/form/form-error';
import { GuardedDialog } from '@/components/form/guarded-dialog';
import { SubmitButton } from '@/components/form/submit-button';
import { useSteps } from '@/components/form/use-steps';
import type { SubmitFailure } from '@/lib/submit-failure';
import { common } from '@/messages/common';
import { form as t } from '@/messages/form';
import styles from './wizard.module.css';

export interface WizardStep<T extends FieldValues> {
  readonly id: string;
  readonly label: string;
  /** Fields that must be valid before the next step. */
  readonly fields: readonly FieldPath<T>[];
  readonly content: ReactNode;
}

interface WizardProps<T extends FieldValues, Output> {
  title: string;
  description: string;
  form: UseFormReturn<T, unknown, Output>;
  steps: readonly WizardStep<T>[];
  submitLabel: string;
  /** The label of the button while the form is being sent, such as “Creating”. */
  busyLabel?: string | undefined;
  maxWidth?: string;
  onSubmit: (values: Output) => Promise<SubmitFailure | null>;
  onDone?: (() => void) | undefined;
  onClose: () => void;
}

/** A form in a dialog, one step after the other. It closes when it has been saved. */
export function Wizard<T extends FieldValues, Output>(props: WizardProps<T, Output>) {
  const { title, description, form, steps, submitLabel, busyLabel, maxWidth = '640px' } = props;
  const { onSubmit, onDone, onClose } = props;
  const { isDirty } = form.formState;
  const { current, panel, goTo, next, refused } = useSteps(form, steps);
  const step = steps[current];
  const isLast = current === steps.length - 1;

  return (
    <GuardedDialog {...{ title, description, maxWidth, isDirty, onClose }}>
      <ol className={styles.steps} aria-label={t('steps')}>
        {steps.map(({ id, label }, index) => (
          <li key={id} data-done={index < current} {...(index === current && { 'aria-current': 'step' })}>
            <span className={styles.number} aria-hidden="true">
              {index + 1}
            </span>
            {label}
          </li>
        ))}
      </ol>
      <Form
        form={form}
        onSubmit={onSubmit}
        onRefused={refused}
        {...(!isLast && { instead: () => void next() })}
        onDone={() => {
          onClose();
          onDone?.();
        }}
      >
        <div
          ref={panel}
          key={step?.id}
          role="group"
          aria-label={step?.label}
          tabIndex={-1}
          className={styles.panel}
        >
          {step?.content}
        </div>
        <FormError />
        <Flex gap="3" align="center" mt="1">
          <Text size="1" color="gray" className={styles.place ?? ''}>
            {t('step.of', { step: current + 1, count: steps.length })}
          </Text>
          <Button type="button" variant="soft" color="gray" onClick={onClose}>
            {common('cancel')}
          </Button>
          {current > 0 && (
            <Button type="button" variant="soft" onClick={() => goTo(current - 1)}>
              {common('back')}
            </Button>
          )}
          {isLast ? (
            <SubmitButton busyLabel={busyLabel}>{submitLabel}</SubmitButton>
          ) : (
            <Button type="submit">{common('next')}</Button>
          )}
        </Flex>
      </Form>
    </GuardedDialog>
  );
}
