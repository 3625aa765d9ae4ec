import type { ReactNode } from 'react';
import { form as t } from '@/messages/form';
import styles from './step-form.module.css';

interface StepSummariesProps {
  steps: readonly { readonly id: string; readonly label: string; readonly summary?: ReactNode }[];
  current: number;
  reachable: readonly boolean[];
  onGo: (step: number) => void;
}

/** The content of the other steps, on screens that have space for it. */
export function StepSummaries({ steps, current, reachable, onGo }: StepSummariesProps) {
  const others = steps.flatMap((step, index) =>
    index === current || step.summary === undefined || reachable[index] !== true ? [] : [{ ...step, index }],
  );
  if (others.length === 0) return <div className={styles.summaries} />;
  return (
    <aside aria-label={t('summary')} className={styles.summaries}>
      {others.map(({ id, label, summary, index }) => (
        <section key={id} className={styles.summary}>
          <button type="button" className={styles.summaryName} onClick={() => onGo(index)}>
            {label}
          </button>
          <div className={styles.summaryText}>{summary}</div>
        </section>
      ))}
    </aside>
  );
}
