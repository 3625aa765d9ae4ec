import { Skeleton, Text } from '@radix-ui/themes';
import { CalendarClock } from 'lucide-react';
import { tasks as t } from '@/messages/tasks';
import styles from './task.module.css';

interface ScheduleNoteProps {
  /** When it runs, in words; `null` as long as that is not chosen. */
  sentence: string | null;
  /** The next times, as people read them; `null` while they are loading. */
  coming: readonly string[] | null;
}

/** Says when a schedule runs, and when that is next, so that a mistake is noticed before it is saved. */
export function ScheduleNote({ sentence, coming }: ScheduleNoteProps) {
  return (
    <div className={styles.note} role="status">
      <CalendarClock size={18} aria-hidden="true" />
      <div>
        <Text as="p" size="2" color={sentence === null ? 'gray' : undefined}>
          {sentence ?? t('sentence.incomplete')}
        </Text>
        {sentence !== null && coming?.length !== 0 && (
          <dl className={styles.coming}>
            <dt>{t('coming')}</dt>
            {coming === null
              ? [1, 2, 3].map((place) => (
                  <dd key={place}>
                    <Skeleton width="220px" height="14px" />
                  </dd>
                ))
              : coming.map((time) => <dd key={time}>{time}</dd>)}
          </dl>
        )}
      </div>
    </div>
  );
}
