import { useSchemaForm } from '@/components/form/use-schema-form';
import { Wizard } from '@/components/wizard/wizard';
import { tasks as t } from '@/messages/tasks';
import { scheduleTask } from '@/stores/tasks-store';
import { BlueprintField } from './blueprint-field';
import { ScheduleFields } from './schedule-fields';
import { blankTask, draftOf, taskSchema } from './task-schema';

/** Makes a task: which blueprint, then when. */
export function TaskWizard({ onClose }: { onClose: () => void }) {
  const form = useSchemaForm(taskSchema, blankTask());
  return (
    <Wizard
      title={t('schedule')}
      description={t('wizard.description')}
      maxWidth="720px"
      form={form}
      steps={[
        {
          id: 'blueprint',
          label: t('step.blueprint'),
          fields: ['icebreaker'],
          content: <BlueprintField control={form.control} />,
        },
        {
          id: 'task',
          label: t('step.task'),
          fields: ['name', 'projectLabels', 'schedule'],
          content: <ScheduleFields form={form} />,
        },
      ]}
      submitLabel={t('create')}
      busyLabel={t('creating')}
      onSubmit={(values) => scheduleTask(draftOf(values))}
      onClose={onClose}
    />
  );
}
