import { Button, Callout, Flex } from '@radix-ui/themes';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { Form } from '@/components/form/form';
import { FormError } from '@/components/form/form-error';
import { SubmitButton } from '@/components/form/submit-button';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { Page } from '@/components/page/page';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import { projectSchema, projectValues } from '@/lib/project-rules';
import type { ProjectLabel } from '@/lib/wire';
import { common } from '@/messages/common';
import { projects as t } from '@/messages/projects';
import { changeProject } from './project-actions';
import { ProjectFields } from './project-fields';
import { ProjectMissing } from './project-missing';
import styles from './projects.module.css';
import { useProject } from './use-project';

/** `/projects/{id}/edit`. */
function ProjectEditPage() {
  const { status, project } = useProject();
  if (status !== 'ready') return <ProjectMissing status={status} />;
  return <EditForm key={project.id} project={project} />;
}

function EditForm({ project }: { project: DeepReadonly<ProjectLabel> }) {
  const { id, name, abilities } = project;
  // It is saved with the version that it was opened with, so that changes of others are not lost.
  const [opened] = useState({ id, version: project.version });
  const navigate = useNavigate();
  const form = useSchemaForm(projectSchema, projectValues(project));
  const leave = () => void navigate(paths.project(id));

  return (
    <Page title={t('edit.title')} subtitle={t('edit.text', { name })}>
      <Form
        form={form}
        guard
        readOnly={!abilities.edit}
        className={styles.form}
        onSubmit={(values) => changeProject(opened, values)}
        onDone={leave}
      >
        {!abilities.edit && (
          <Callout.Root color="gray" size="1">
            <Callout.Icon>
              <Lock size={15} />
            </Callout.Icon>
            <Callout.Text>{t('cannot.change')}</Callout.Text>
          </Callout.Root>
        )}
        <ProjectFields control={form.control} />
        <FormError />
        <Flex gap="3" justify="end">
          <Button type="button" variant="soft" color="gray" onClick={leave}>
            {abilities.edit ? common('cancel') : common('back')}
          </Button>
          {abilities.edit && (
            <SubmitButton onlyChanged busyLabel={t('edit.busy')}>
              {common('save')}
            </SubmitButton>
          )}
        </Flex>
      </Form>
    </Page>
  );
}

export { ProjectEditPage as Component };
