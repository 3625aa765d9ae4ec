import { SegmentedControl } from '@radix-ui/themes';
import { CalendarDays, List } from 'lucide-react';
import { Tooltip } from '@/components/tooltip/tooltip';
import { tasks as t } from '@/messages/tasks';
import styles from './task.module.css';

/** List or calendar. The calendar is announced, but not available yet. */
export function CalendarToggle() {
  return (
    <SegmentedControl.Root value="list" aria-label={t('view')}>
      <Tooltip content={t('view.list')}>
        <SegmentedControl.Item value="list">
          <List size={15} aria-label={t('view.list')} />
        </SegmentedControl.Item>
      </Tooltip>
      {/* A disabled button gets no pointer events, so its explanation could not be shown. */}
      <Tooltip content={t('view.soon')}>
        <SegmentedControl.Item value="calendar" aria-disabled="true" className={styles.soon ?? ''}>
          <CalendarDays size={15} aria-label={`${t('view.calendar')}: ${t('view.soon')}`} />
        </SegmentedControl.Item>
      </Tooltip>
    </SegmentedControl.Root>
  );
}
