import { useEffect, useRef, useState, type RefObject } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { notify } from '@/lib/notify';
import { form as t } from '@/messages/form';

/** What a step is to the way through the steps. */
interface StepFields<T extends FieldValues> {
  readonly fields: readonly FieldPath<T>[];
}

interface Steps {
  /** The one that is shown, from 0. */
  current: number;
  /** The shown step's element; it takes the focus when one comes to it. */
  panel: RefObject<HTMLDivElement | null>;
  goTo: (step: number) => void;
  /** Goes on when nothing is wrong with the fields of this step. */
  next: () => Promise<void>;
  /** Goes to the first step with a wrong field, after the form was refused. */
  refused: (by: 'rules' | 'server') => void;
}

/** The way through the steps of a form, for a wizard and for a step form. */
export function useSteps<T extends FieldValues, Output>(
  form: UseFormReturn<T, unknown, Output>,
  steps: readonly StepFields<T>[],
): Steps {
  const [at, setAt] = useState<{ step: number; focus: 'none' | 'step' | 'wrong' }>({
    step: 0,
    focus: 'none',
  });
  const panel = useRef<HTMLDivElement>(null);
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
