import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { FormProvider, type FieldPath, type FieldValues, type UseFormReturn } from 'react-hook-form';
import { formPath, type SubmitFailure } from '@/lib/submit-failure';
import styles from './form.module.css';
import { FormSettingsContext } from './form-settings';
import { LeaveGuard } from './leave-guard';

interface FormProps<T extends FieldValues, Output> {
  form: UseFormReturn<T, unknown, Output>;
  /** Saves it; returns `null` on success, else what is wrong. */
  onSubmit: (values: Output) => Promise<SubmitFailure | null>;
  /** Called after it has been saved. The values count as unchanged then, so a navigation does not ask. */
  onDone?: (() => void) | undefined;
  /**
   * Called when it was not sent, or was refused, after the focus has moved to the first visible field with an
   * error.
   */
  onRefused?: ((by: 'rules' | 'server') => void) | undefined;
  /** What the Enter key and the default button do instead of submitting it, such as going to the next step. */
  instead?: (() => void) | undefined;
  /** Asks before a page with unsaved changes is left. */
  guard?: boolean | undefined;
  /** The address of this form: navigating to an address below it shows the same form, and does not ask. */
  within?: string | undefined;
  readOnly?: boolean | undefined;
  /** The layout of its fields; without it they are one below the other. */
  className?: string | undefined;
  children: ReactNode;
}

/** A form: checks its fields, sends them once, and shows errors at the fields. */
export function Form<T extends FieldValues, Output>(props: FormProps<T, Output>) {
  const {
    form,
    onSubmit,
    onDone,
    onRefused,
    instead,
    guard = false,
    within,
    readOnly = false,
    className,
    children,
  } = props;
  const { isDirty, isSubmitting } = form.formState;
  const element = useRef<HTMLFormElement>(null);
  const busy = useRef(false);
  const unsaved = useRef(false);
  const [refusal, setRefusal] = useState<{ by: 'rules' | 'server' } | null>(null);

  useEffect(() => {
    unsaved.current = isDirty;
  }, [isDirty]);

  const settle = useEffectEvent((by: 'rules' | 'server') => {
    element.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    onRefused?.(by);
  });
  // The fields must have rendered their errors before the first of them can be found.
  useEffect(() => {
    if (refusal) settle(refusal.by);
  }, [refusal]);

  async function submit(): Promise<void> {
    if (busy.current || readOnly) return;
    busy.current = true;
    const outcome: { by: 'rules' | 'server' | 'nobody' } = { by: 'rules' };
    try {
      await form.handleSubmit(async (values) => {
        const failure = await onSubmit(values);
        outcome.by = failure ? 'server' : 'nobody';
        if (failure) showFailure(form, failure);
        else form.reset(form.getValues());
      })();
    } finally {
      busy.current = false;
    }
    if (outcome.by === 'nobody') {
      unsaved.current = false;
      onDone?.();
    } else setRefusal({ by: outcome.by });
  }

  function onFormSubmit(event: SyntheticEvent): void {
    event.preventDefault();
    // A dialog's form may be inside the form of a page: submitting the former must not submit the latter.
    event.stopPropagation();
    if (instead) instead();
    else void submit();
  }

  const settings = { readOnly: readOnly || isSubmitting, submit: () => void submit() };
  return (
    <FormProvider {...form}>
      <FormSettingsContext value={settings}>
        <form ref={element} noValidate className={className ?? styles.form} onSubmit={onFormSubmit}>
          {children}
        </form>
        {guard && !readOnly && (
          <LeaveGuard isDirty={isDirty} mustAsk={() => unsaved.current && !busy.current} within={within} />
        )}
      </FormSettingsContext>
    </FormProvider>
  );
}

/**
 * Shows the server's messages at their fields; messages without a field here are shown for the whole form. An empty
 * one has been told elsewhere.
 */
function showFailure<T extends FieldValues, Output>(
  form: UseFormReturn<T, unknown, Output>,
  { message, fields }: SubmitFailure,
): void {
  const homeless: string[] = [];
  for (const problem of fields) {
    const path = formPath(problem.field) as FieldPath<T>;
    if (form.getValues(path) === undefined) homeless.push(problem.message);
    else form.setError(path, { type: 'server', message: problem.message });
  }
  const text = fields.length === 0 ? [message] : homeless;
  if (text.some((line) => line !== ''))
    form.setError('root.server', { type: 'server', message: text.join('\n') });
}
