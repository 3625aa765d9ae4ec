import { FormDialog } from '@/components/form/form-dialog';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { projectSchema } from '@/lib/project-rules';
import { common } from '@/messages/common';
import { projects as t } from '@/messages/projects';
import { makeProject } from './project-actions';
import { ProjectFields } from './project-fields';

/** Makes a project. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const form = useSchemaForm(projectSchema, { name: '', description: '', color: '' });
  return (
    <FormDialog
      title={t('create.title')}
      description={t('create.text')}
      form={form}
      submitLabel={common('create')}
      busyLabel={t('create.busy')}
      onSubmit={makeProject}
      onClose={onClose}
    >
      <ProjectFields control={form.control} />
    </FormDialog>
  );
}
