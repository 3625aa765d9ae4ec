import { Badge, Text } from '@radix-ui/themes';
import { BookOpenText, Infinity as Always } from 'lucide-react';
import type { EntityCardContent } from '@/components/entity-list/entity';
import { cx } from '@/lib/cx';
import { formatDay } from '@/lib/format';
import { splitResponse } from '@/lib/memory';
import { memories as t } from '@/messages/memories';
import styles from './memory-content.module.css';

/** The content of a memory's card. */
export interface MemorySummary {
  /** The question. */
  readonly index: string;
  /** The correct response to it. */
  readonly value: string;
  readonly isEnabled: boolean;
  readonly alwaysRecalled: boolean;
  readonly updatedAt: string;
  /** The names of its labels and of its type. */
  readonly labelNames: readonly string[];
  readonly typeName: string;
}

/** A title of two lines, the question in two, the response in three, labels, type and the facts, in pixels. */
export const memoryCardHeight = 316;

/** A memory as a card: what is asked, what the answer says, and how it is found. */
export function memoryCard(memory: MemorySummary): EntityCardContent {
  const { isEnabled, alwaysRecalled, updatedAt } = memory;
  return {
    icon: <BookOpenText size={18} />,
    body: <MemoryParts {...memory} />,
    facts: [
      !isEnabled && <Badge color="gray">{t('card.off')}</Badge>,
      alwaysRecalled && (
        <span className={styles.always}>
          <Always size={14} aria-hidden="true" /> {t('card.always')}
        </span>
      ),
      t('card.edited', { date: formatDay(updatedAt) }),
    ],
    muted: !isEnabled,
  };
}

function MemoryParts({ index, value, labelNames, typeName, isEnabled }: MemorySummary) {
  // In three lines, the text of a response is more informative than its code.
  const { text, code } = splitResponse(value);
  return (
    <dl className={cx(styles.parts, !isEnabled && styles.muted)}>
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
        <dd className={styles.line} title={labelNames.join(', ')}>
          {labelNames.length === 0 ? (
            <Text color="gray">{t('card.labels.none')}</Text>
          ) : (
            labelNames.map((label) => (
              <Badge key={label} color="gray" variant="soft">
                {label}
              </Badge>
            ))
          )}
        </dd>
      </div>
      <div className={styles.row}>
        <dt>{t('card.type')}</dt>
        <dd className={styles.line}>{typeName}</dd>
      </div>
    </dl>
  );
}
