import { Check, CircleDashed, CircleHelp, CircleSlash, Equal } from 'lucide-react';
import { useId, useState } from 'react';
import { transcript as t } from '@/messages/transcript';
import type { AnswerCheck, Grade } from './message';
import styles from './answer-grade.module.css';

interface AnswerGradeProps {
  grade: Grade;
  checks: readonly AnswerCheck[];
}

const icons = {
  certain: Check,
  assumed: Equal,
  unchecked: CircleDashed,
  asked: CircleHelp,
  refused: CircleSlash,
} as const;

/** What an answer rests on: a word and one line, and on press what was checked. */
export function AnswerGrade({ grade, checks }: AnswerGradeProps) {
  const [isOpen, setOpen] = useState(false);
  const list = useId();
  const Icon = icons[grade];
  const hasFailed = checks.some(({ outcome }) => outcome === 'failed');
  const word = (
    <>
      <Icon size={14} aria-hidden />
      <span>{t(`grade.${grade}`)}</span>
    </>
  );
  return (
    <div className={styles.grade} data-grade={grade}>
      {checks.length > 0 ? (
        <button
          type="button"
          className={styles.mark}
          aria-expanded={isOpen}
          aria-controls={list}
          // The name begins with what is seen, so that it can be spoken.
          aria-label={t('grade.open', { grade: t(`grade.${grade}`) })}
          onClick={() => {
            setOpen(!isOpen);
          }}
        >
          {word}
        </button>
      ) : (
        <span className={styles.mark}>{word}</span>
      )}
      <span className={styles.line}>
        {grade === 'refused' && hasFailed ? t('grade.withheld.line') : t(`grade.${grade}.line`)}
      </span>
      <ul id={list} className={styles.checks} aria-label={t('grade.checks')} hidden={!isOpen}>
        {checks.map(({ kind, outcome, note }) => (
          <li key={kind} data-outcome={outcome}>
            <span>{t(`check.${kind}`)}</span>
            <span className={styles.outcome}>{t(`check.${outcome}`)}</span>
            {note !== undefined && <span className={styles.note}>{note}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
