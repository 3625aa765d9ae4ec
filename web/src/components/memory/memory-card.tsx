import { Badge, Text } from '@radix-ui/themes';
import { Infinity as Always } from 'lucide-react';
import type { ReactNode } from 'react';
import card from '@/components/surface/card.module.css';
import { cx } from '@/lib/cx';
import { formatDay } from '@/lib/format';
import { splitResponse } from '@/lib/memory';
import { memories as t } from '@/messages/memories';
import styles from './memory-card.module.css';

/** The content of a memory's card. */
export interface MemorySummary {
  readonly name: string;
  /** The question. */
  readonly index: string;
  /** The correct response to it. */
  readonly value: string;
  readonly isEnabled: boolean;
  readonly alwaysRecalled: boolean;
  readonly updatedAt: string;
}

interface MemoryCardProps {
  memory: MemorySummary;
  labels: readonly string[];
  type: string;
  /** Opens it; if left out, the card is read only. */
  onOpen?: (() => void) | undefined;
  /** Buttons in the corner. */
  actions?: ReactNode;
}

/** A memory: what is asked, what the answer says, and how it is found. All cards have one height. */
export function MemoryCard({ memory, labels, type, onOpen, actions }: MemoryCardProps) {
  const { name, index, isEnabled, alwaysRecalled, updatedAt } = memory;
  // In three lines, the text of a response is more informative than its code.
  const { text, code } = splitResponse(memory.value);
  return (
    <article className={cx(card.frame, styles.card, !isEnabled && styles.muted)} aria-label={name}>
      <div className={styles.head}>
        <h2 className={styles.title} title={name}>
          {onOpen ? (
            <button type="button" className={cx(card.press, styles.open)} onClick={onOpen}>
              {name}
            </button>
          ) : (
            name
          )}
        </h2>
        {!isEnabled && <Badge color="gray">{t('card.off')}</Badge>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      <dl className={styles.parts}>
        <div>
          <dt>{t('card.question')}</dt>
          <dd className={styles.question} title={index}>
            {index}
          </dd>
        </div>
        <div>
          <dt>{t('card.summary')}</dt>
          <dd className={styles.value}>{text === '' ? code : text}</dd>
        </div>
        <div className={styles.row}>
          <dt>{t('card.labels')}</dt>
          <dd className={styles.line} title={labels.join(', ')}>
            {labels.length === 0 ? (
              <Text color="gray">{t('card.labels.none')}</Text>
            ) : (
              labels.map((label) => (
                <Badge key={label} color="gray" variant="soft">
                  {label}
                </Badge>
              ))
            )}
          </dd>
        </div>
        <div className={styles.row}>
          <dt>{t('card.type')}</dt>
          <dd className={styles.line}>{type}</dd>
        </div>
      </dl>
      <div className={styles.foot}>
        {alwaysRecalled && (
          <span className={styles.always}>
            <Always size={14} aria-hidden="true" /> {t('card.always')}
          </span>
        )}
        <span className={styles.edited}>{t('card.edited', { date: formatDay(updatedAt) })}</span>
      </div>
    </article>
  );
}
