import { Flex, Grid } from '@radix-ui/themes';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { DayOfMonthField, MonthField, TimeField, WeekdayField } from '@/components/form/calendar-fields';
import { SeveralField } from '@/components/form/combobox-field';
import { SelectField } from '@/components/form/select-field';
import { TextField } from '@/components/form/text-field';
import { daysOf, frequencies, taskNameMax, type DayField } from '@/lib/task';
import { useList } from '@/lib/use-collection';
import { tasks as t } from '@/messages/tasks';
import { projectLabels as heldProjects } from '@/stores/project-labels-store';
import { ComingRuns } from './coming-runs';
import type { CheckedTask, TaskFields } from './task-schema';
import { TimeZoneField } from './time-zone-field';

interface ScheduleFieldsProps {
  form: UseFormReturn<TaskFields, unknown, CheckedTask>;
  /** Whether the schedule is shown in words below the fields; pages that show it elsewhere leave it out. */
  explained?: boolean;
}

const frequencyChoices = frequencies.map((value) => ({ value, label: t(`frequency.${value}`) }));

/** The name of a task, the project of its conversations, and its schedule. */
export function ScheduleFields({ form, explained = true }: ScheduleFieldsProps) {
  const { control } = form;
  const { items: labels } = useList(heldProjects, undefined);
  const frequency = useWatch({ control, name: 'schedule.frequencyType' });
  const dayFields: Readonly<Record<DayField, typeof weekday>> = {
    dayOfWeek: weekday,
    dayOfMonth,
    month,
  };

  /** A choice for one frequency does not apply to another. */
  function reset(): void {
    const dependent = [
      'schedule.time',
      'schedule.dayOfWeek',
      'schedule.dayOfMonth',
      'schedule.month',
    ] as const;
    for (const field of dependent) form.setValue(field, null, { shouldDirty: true });
    form.clearErrors(dependent);
  }

  return (
    <Flex direction="column" gap="4">
      <TextField control={control} name="name" label={t('field.name')} limit={taskNameMax} required />
      <SeveralField
        control={control}
        name="projectLabels"
        label={t('field.projects')}
        choices={labels.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <Grid columns={{ initial: '1', sm: '2' }} gap="4">
        <SelectField
          control={control}
          name="schedule.frequencyType"
          label={t('field.frequency')}
          choices={frequencyChoices}
          onChosen={reset}
          required
        />
        {daysOf[frequency].map((day) => dayFields[day](control))}
        <TimeField control={control} name="schedule.time" label={t('field.time')} required />
        <TimeZoneField control={control} />
      </Grid>
      {explained && <ComingRuns control={control} />}
    </Flex>
  );
}

type Control = ScheduleFieldsProps['form']['control'];

const weekday = (control: Control) => (
  <WeekdayField
    key="dayOfWeek"
    control={control}
    name="schedule.dayOfWeek"
    label={t('field.dayOfWeek')}
    required
  />
);
const dayOfMonth = (control: Control) => (
  <DayOfMonthField
    key="dayOfMonth"
    control={control}
    name="schedule.dayOfMonth"
    label={t('field.dayOfMonth')}
    required
  />
);
const month = (control: Control) => (
  <MonthField key="month" control={control} name="schedule.month" label={t('field.month')} required />
);
