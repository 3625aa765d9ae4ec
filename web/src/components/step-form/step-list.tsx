import { VisuallyHidden } from '@radix-ui/themes';
import { Check, Minus } from 'lucide-react';
import { useEffect, useRef } from 'react';
import sideways from '@/components/surface/sideways.module.css';
import { cx } from '@/lib/cx';
import { form as t } from '@/messages/form';
import styles from './step-form.module.css';

interface StepListProps {
  steps: readonly {
    readonly id: string;
    readonly label: string;
    readonly toggle?: { readonly isOn: boolean } | undefined;
  }[];
  current: number;
  complete: readonly boolean[];
  reachable: readonly boolean[];
  /** Marks the steps that are incomplete. */
  showMissing: boolean;
  onGo: (step: number) => void;
}

/** The steps of a form, with links to those that can be reached. */
export function StepList({ steps, current, complete, reachable, showMissing, onGo }: StepListProps) {
  const here = useRef<HTMLButtonElement>(null);
  // On a phone the steps scroll sideways, and the current step must be visible.
  useEffect(() => {
    const list = here.current?.closest('nav');
    if (!here.current || !list) return;
    list.scrollLeft = here.current.offsetLeft - (list.clientWidth - here.current.offsetWidth) / 2;
  }, [current]);

  return (
    <nav aria-label={t('steps')} className={cx(styles.steps, sideways.box)}>
      <ol>
        {steps.map(({ id, label, toggle }, index) => {
          const isOff = toggle?.isOn === false;
          const isDone = complete[index] === true && showMissing;
          return (
            <li key={id}>
              <button
                type="button"
                className={styles.step}
                disabled={reachable[index] !== true && index !== current}
                data-done={isDone && !isOff}
                {...(index === current && { 'aria-current': 'step', ref: here })}
                onClick={() => onGo(index)}
              >
                <span className={styles.mark} aria-hidden="true">
                  {isOff ? <Minus size={13} /> : isDone ? <Check size={13} /> : index + 1}
                </span>
                <span>{label}</span>
                {isOff && <VisuallyHidden>{`, ${t('step.off')}`}</VisuallyHidden>}
                {!isOff && showMissing && (
                  <VisuallyHidden>{`, ${isDone ? t('step.done') : t('step.wrong')}`}</VisuallyHidden>
                )}
              </button>
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
