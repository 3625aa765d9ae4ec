import { Button, Flex, Heading, Switch, Text } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import { useWatch, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form';
import type { ZodMiniType } from 'zod/mini';
import { Form } from '@/components/form/form';
import { FormError } from '@/components/form/form-error';
import { SubmitButton } from '@/components/form/submit-button';
import { useSteps } from '@/components/form/use-steps';
import type { SubmitFailure } from '@/lib/submit-failure';
import { common } from '@/messages/common';
import { form as t } from '@/messages/form';
import { completeSteps } from './complete-steps';
import styles from './step-form.module.css';
import { StepList } from './step-list';
import { StepSummaries } from './step-summaries';

export interface FormStep<T extends FieldValues> {
  readonly id: string;
  readonly label: string;
  /**
   * The fields of the form that this step shows. They decide which fields Next checks, which step a refused form goes
   * to, and whether the step has a check mark. A field of no step would be refused without being shown, so each value of
   * the form must be in one step; while developing and in tests an error says which one is not (useSteps).
   */
  readonly fields: readonly FieldPath<T>[];
  readonly content: ReactNode;
  /** The content of the step, in few words; shown next to the other steps on wide screens. */
  readonly summary?: ReactNode;
  /** A step that can be turned off has a switch in its head. The page asks for confirmation. */
  readonly toggle?:
    | undefined
    | {
        /** The name of the switch, with that of the step: the page around the form may have a switch of its own. */
        readonly label: string;
        readonly isOn: boolean;
        readonly onChange: (isOn: boolean) => void;
        /** Shown instead of the fields while it is off. */
        readonly offText: string;
      };
}

interface StepFormProps<T extends FieldValues, Output> {
  form: UseFormReturn<T, unknown, Output>;
  /** The form's schema: it determines during typing which steps are complete. */
  schema: ZodMiniType<Output, T>;
  steps: readonly FormStep<T>[];
  /** It is not saved yet: its steps are filled in in order. */
  isNew: boolean;
  readOnly?: boolean | undefined;
  /** The address of this form: navigating to an address below it shows the same form, and does not ask. */
  within?: string | undefined;
  submitLabel: string;
  /** Creating or Updating. */
  busyLabel: string;
  onSubmit: (values: Output) => Promise<SubmitFailure | null>;
  onDone?: (() => void) | undefined;
  onCancel?: (() => void) | undefined;
}

/** A form that fills a page, step by step: the steps at the left, the content of the other steps at the right. */
export function StepForm<T extends FieldValues, Output>(props: StepFormProps<T, Output>) {
  const { form, schema, steps, isNew, readOnly = false, onSubmit, onDone, onCancel } = props;
  const { isDirty } = form.formState;
  const values = useWatch({ control: form.control });
  const { current, panel, goTo, next, refused } = useSteps(form, steps);
  const complete = completeSteps(schema, values, steps);
  // The steps of a new form depend on each other; those of a saved one can be opened in any order.
  const reachable = steps.map((_, index) => !isNew || complete.slice(0, index).every(Boolean));
  const step = steps[current];
  const isLast = current === steps.length - 1;
  const untouched = isNew && !isDirty;

  return (
    <Form
      form={form}
      guard
      within={props.within}
      readOnly={readOnly}
      className={styles.layout}
      onSubmit={onSubmit}
      onDone={onDone}
      onRefused={refused}
      {...(!isLast && { instead: () => void next() })}
    >
      <StepList
        steps={steps}
        current={current}
        complete={complete}
        reachable={reachable}
        // While nothing is filled in, no errors are shown.
        showMissing={!untouched && !readOnly}
        onGo={goTo}
      />
      <div className={styles.main}>
        <section
          ref={panel}
          key={step?.id}
          aria-labelledby="step-heading"
          tabIndex={-1}
          className={styles.panel}
        >
          <Flex justify="between" align="center" gap="3">
            <Heading as="h2" size="4" id="step-heading">
              {step?.label}
            </Heading>
            {step?.toggle && (
              <Text as="label" size="2">
                <Flex as="span" align="center" gap="2">
                  {step.toggle.label}
                  <Switch
                    checked={step.toggle.isOn}
                    disabled={readOnly}
                    onCheckedChange={step.toggle.onChange}
                  />
                </Flex>
              </Text>
            )}
          </Flex>
          {step?.toggle?.isOn === false ? (
            <Text as="p" size="2" color="gray" className={styles.off ?? ''}>
              {step.toggle.offText}
            </Text>
          ) : (
            step?.content
          )}
        </section>
        <FormError />
        <footer className={styles.foot}>
          <Button
            type="button"
            variant="soft"
            color="gray"
            disabled={current === 0}
            onClick={() => goTo(current - 1)}
          >
            {common('back')}
          </Button>
          <Text size="1" color="gray" className={styles.unsaved ?? ''} role="status">
            {isDirty && !readOnly ? t('unsaved') : ''}
          </Text>
          {onCancel && !readOnly && (
            <Button type="button" variant="soft" color="gray" onClick={onCancel}>
              {common('cancel')}
            </Button>
          )}
          <div className={styles.onwards}>
            {!isLast && (
              <NextButton
                readOnly={readOnly}
                isNew={isNew}
                disabled={untouched}
                onGo={() => goTo(current + 1)}
              />
            )}
            {!readOnly && (
              <SubmitButton
                direct={!isLast}
                variant={isLast || !isNew ? 'solid' : 'soft'}
                onlyChanged
                busyLabel={props.busyLabel}
              >
                {props.submitLabel}
              </SubmitButton>
            )}
          </div>
        </footer>
      </div>
      <StepSummaries steps={steps} current={current} reachable={reachable} onGo={goTo} />
    </Form>
  );
}

interface NextButtonProps {
  readOnly: boolean;
  isNew: boolean;
  disabled: boolean;
  onGo: () => void;
}

/** Moves to the next step: the default button of the form, except in a read-only form, where nothing is checked. */
function NextButton({ readOnly, isNew, disabled, onGo }: NextButtonProps) {
  return (
    <Button
      type={readOnly ? 'button' : 'submit'}
      variant={isNew ? 'solid' : 'soft'}
      disabled={disabled}
      {...(readOnly && { onClick: onGo })}
    >
      {common('next')}
    </Button>
  );
}
