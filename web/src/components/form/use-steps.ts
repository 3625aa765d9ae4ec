import { useEffect, useRef, useState, type RefObject } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { notify } from '@/lib/notify';
import { form as t } from '@/messages/form';

/** What the navigation needs of a step. */
interface StepFields<T extends FieldValues> {
  readonly fields: readonly FieldPath<T>[];
}

interface Steps {
  /** The index of the step that is shown, from 0. */
  current: number;
  /** The element of the shown step; it gets the focus when a person moves to the step. */
  panel: RefObject<HTMLDivElement | null>;
  goTo: (step: number) => void;
  /** Moves to the next step if the fields of this step have no errors. */
  next: () => Promise<void>;
  /** Moves to the first step with a wrong field, after the form was refused. */
  refused: (by: 'rules' | 'server') => void;
}

/** The navigation between the steps of a form, for a wizard and for a step form. */
export function useSteps<T extends FieldValues, Output>(
  form: UseFormReturn<T, unknown, Output>,
  steps: readonly StepFields<T>[],
): Steps {
  const [at, setAt] = useState<{ step: number; focus: 'none' | 'step' | 'wrong' }>({
    step: 0,
    focus: 'none',
  });
  const panel = useRef<HTMLDivElement>(null);
  if (import.meta.env.DEV) requireEveryField(Object.keys(form.getValues()), steps);
  const current = Math.min(at.step, steps.length - 1);

  useEffect(() => {
    if (at.focus === 'none') return;
    const wrong = at.focus === 'wrong' && panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    (wrong || panel.current)?.focus();
  }, [at]);

  function incomplete(step: number): void {
    notify.error(t('incomplete'));
    setAt({ step, focus: 'wrong' });
  }

  async function next(): Promise<void> {
    const fields = steps[current]?.fields ?? [];
    if (fields.length === 0 || (await form.trigger(fields))) setAt({ step: current + 1, focus: 'step' });
    else incomplete(current);
  }

  function refused(by: 'rules' | 'server'): void {
    const wrong = steps.findIndex(({ fields }) => fields.some((field) => form.getFieldState(field).invalid));
    if (by === 'rules') incomplete(wrong === -1 ? current : wrong);
    else if (wrong !== -1) setAt({ step: wrong, focus: 'wrong' });
  }

  return { current, panel, goTo: (step) => setAt({ step, focus: 'step' }), next, refused };
}

/** Throws if a value of the form is in no step: nobody would see why it is refused. */
function requireEveryField(
  values: readonly string[],
  steps: readonly { readonly fields: readonly string[] }[],
): void {
  const shown = new Set(steps.flatMap(({ fields }) => fields.map((field) => field.split('.')[0])));
  const missing = values.filter((value) => !shown.has(value));
  if (missing.length > 0) throw new Error(`no step of this form has ${missing.join(', ')} in its fields`);
}
