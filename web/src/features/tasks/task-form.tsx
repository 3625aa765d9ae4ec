import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { StepForm } from '@/components/step-form/step-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { ScheduledTask } from '@/lib/wire';
import { tasks as t } from '@/messages/tasks';
import { changeTask } from '@/stores/tasks-store';
import { BlueprintField } from './blueprint-field';
import { BlueprintSummary, ChosenBlueprint } from './chosen-blueprint';
import { ScheduleSummary } from './coming-runs';
import { ScheduleFields } from './schedule-fields';
import { draftOf, fieldsOf, taskSchema } from './task-schema';

interface TaskFormProps {
  task: DeepReadonly<ScheduledTask>;
  readOnly: boolean;
}

/** A task in its two steps, to read or to edit. */
export function TaskForm({ task, readOnly }: TaskFormProps) {
  const navigate = useNavigate();
  const form = useSchemaForm(taskSchema, fieldsOf(task));
  // The form keeps the version that was loaded when it was opened, so that another person's later change is not
  // overwritten silently.
  const [version] = useState(task.version);
  const { id } = task;
  return (
    <StepForm
      form={form}
      schema={taskSchema}
      isNew={false}
      readOnly={readOnly}
      steps={[
        {
          id: 'blueprint',
          label: t('step.blueprint.short'),
          fields: ['icebreaker'],
          ...(!readOnly && { summary: <BlueprintSummary control={form.control} /> }),
          content: readOnly ? (
            <ChosenBlueprint id={task.icebreaker} />
          ) : (
            <BlueprintField control={form.control} />
          ),
        },
        {
          id: 'general',
          label: t('step.general'),
          fields: ['name', 'projectLabels', 'schedule'],
          content: <ScheduleFields form={form} explained={!readOnly} />,
          ...(!readOnly && { summary: <ScheduleSummary control={form.control} /> }),
        },
      ]}
      submitLabel={t('save')}
      busyLabel={t('saving')}
      onSubmit={(values) => changeTask(id, draftOf(values), version)}
      onDone={() => void navigate(paths.tasks)}
      onCancel={() => void navigate(paths.task(id))}
    />
  );
}
