import { useState } from 'react';
import { useWatch, type Control } from 'react-hook-form';
import { ComboboxField } from '@/components/form/combobox-field';
import { zoneLabel } from '@/lib/schedule-sentence';
import { useDebounced } from '@/lib/use-debounced';
import { useList } from '@/lib/use-collection';
import { tasks as t } from '@/messages/tasks';
import { timeZones } from '@/stores/time-zones-store';
import type { CheckedTask, TaskFields } from './task-schema';

interface TimeZoneFieldProps {
  control: Control<TaskFields, unknown, CheckedTask>;
}

/** The maximum height of the list in px (specification 2, section 9). */
const maxHeight = 200;
/** How long typing must pause before the search, in milliseconds. */
const rest = 200;

/** Chooses a time zone; the list is loaded from the server page by page. */
export function TimeZoneField({ control }: TimeZoneFieldProps) {
  const [words, setWords] = useState('');
  const chosen = useWatch({ control, name: 'schedule.timeZone' });
  const search = useDebounced(words.trim(), rest);
  const { items, status } = useList(timeZones, search);
  return (
    <ComboboxField
      control={control}
      name="schedule.timeZone"
      label={t('field.timeZone')}
      required
      choices={items.map(({ timezone, offset }) => ({
        value: timezone,
        label: `${zoneLabel(timezone)} (UTC${offset})`,
      }))}
      known={chosen === null ? [] : [{ value: chosen, label: zoneLabel(chosen) }]}
      loading={status !== 'fetched' && status !== 'failed'}
      onSearch={setWords}
      onMore={() => void timeZones.more(search)}
      maxHeight={maxHeight}
    />
  );
}
