import { Spinner } from '@radix-ui/themes';
import { ChevronRight } from 'lucide-react';
import { formatCredits, formatSeconds } from '@/lib/format';
import { transcript as t } from '@/messages/transcript';
import type { TranscriptMessage, TurnFacts } from './message';
import { plainWords } from './plain-words';
import styles from './turn.module.css';

interface WorkingsFoldProps {
  workings: readonly TranscriptMessage[];
  facts: TurnFacts | null;
  isUnderWay: boolean;
  progress: string | null;
  isOpen: boolean;
  onOpen: (open: boolean) => void;
}

/** The line that the workings fold into, with the facts of the turn; while the turn runs, its progress. */
export function WorkingsFold({ workings, facts, isUnderWay, progress, isOpen, onOpen }: WorkingsFoldProps) {
  const said = isUnderWay ? (progress ?? t('working')) : factLine(workings, facts);
  const line = (
    <span className={styles.facts} data-working={isUnderWay || undefined}>
      {said}
    </span>
  );
  if (workings.length === 0) {
    return (
      <div className={styles.fold}>
        <Spinner size="1" /> {line}
      </div>
    );
  }
  return (
    <div className={styles.fold}>
      <button
        type="button"
        className={styles.foldButton}
        aria-expanded={isOpen}
        onClick={() => {
          onOpen(!isOpen);
        }}
      >
        {isUnderWay ? (
          <Spinner size="1" />
        ) : (
          <ChevronRight size={14} aria-hidden className={styles.chevron} />
        )}
        <span>{t('workings')}</span>
      </button>
      {line}
    </div>
  );
}

/** The sources, the queries, the duration and the cost. */
function factLine(workings: readonly TranscriptMessage[], facts: TurnFacts | null): string {
  const plan = workings.find((message) => message.role === 'coordinator');
  const queries = facts?.queries ?? workings.filter((message) => message.role === 'user_proxy').length;
  return [
    // The dot between the facts follows it, so its own full stop is left out.
    plan && plainWords(plan.text).replace(/\.$/u, ''),
    queries > 0 && t('facts.queries', { count: queries }),
    facts !== null && formatSeconds(facts.seconds),
    facts !== null && facts.credits > 0 && t('facts.credits', { credits: formatCredits(facts.credits) }),
  ]
    .filter((part): part is string => typeof part === 'string' && part !== '')
    .join(' · ');
}
