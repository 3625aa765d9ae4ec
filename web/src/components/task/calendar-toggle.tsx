import { SegmentedControl } from '@radix-ui/themes';
import { CalendarDays, List } from 'lucide-react';
import { tasks as t } from '@/messages/tasks';
import styles from './task.module.css';

/** List or calendar. The calendar says that it is still to come. */
export function CalendarToggle() {
  return (
    <SegmentedControl.Root value="list" aria-label={t('view')}>
      <SegmentedControl.Item value="list" title={t('view.list')}>
        <List size={15} aria-label={t('view.list')} />
      </SegmentedControl.Item>
      <SegmentedControl.Item
        value="calendar"
        aria-disabled="true"
        title={t('view.soon')}
        className={styles.soon ?? ''}
      >
        <CalendarDays size={15} aria-label={`${t('view.calendar')}: ${t('view.soon')}`} />
      </SegmentedControl.Item>
    </SegmentedControl.Root>
  );
}
