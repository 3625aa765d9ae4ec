import { useState } from 'react';
import { useNavigate } from 'react-router';
import { SeveralField } from '@/components/form/combobox-field';
import { TextArea } from '@/components/form/text-area';
import { TextField } from '@/components/form/text-field';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { Page } from '@/components/page/page';
import { StepForm, type FormStep } from '@/components/step-form/step-form';
import { connectorDescriptionLimit, connectorNameLimit } from '@/lib/connector-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { SubmitFailure } from '@/lib/submit-failure';
import { useList } from '@/lib/use-collection';
import type { DataSource } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import { updateDictionary, updateSource } from '@/stores/datasources-store/change';
import { projectLabels } from '@/stores/project-labels-store';
import { sourceRequest, sourceSchema, sourceValues, type SourceValues } from './source-form';

/**
 * The version that the form is based on after its own change; if the new version is not the next one, another
 * person has changed the connector, too.
 */
function afterOwnChange(held: number, saved: DataSource): number {
  return saved.version === held + 1 ? saved.version : held;
}

function isSaid(source: DeepReadonly<DataSource>, values: SourceValues): boolean {
  const held = source.projectLabels.map((label) => label.id);
  return (
    values.name === source.name &&
    values.description === source.description &&
    values.projectLabels.length === held.length &&
    values.projectLabels.every((project) => held.includes(project))
  );
}

/** Edits the description of a connector: its name, its purpose, and the meaning of its columns. */
export function DataSourceEdit({ source }: { source: DeepReadonly<DataSource> }) {
  const { id, dataResourceSet: tables } = source;
  const navigate = useNavigate();
  const { items: projects } = useList(projectLabels, undefined);
  const [schema] = useState(sourceSchema);
  const form = useSchemaForm(schema, sourceValues(source));
  const { control } = form;
  // The version that the form was filled from, so that another person's later change is not overwritten.
  const [version, setVersion] = useState(source.version);
  const leave = (): void => void navigate(paths.dataSource(id), { replace: true });

  async function save(values: SourceValues): Promise<SubmitFailure | null> {
    if (!isSaid(source, values)) {
      const saved = await updateSource(id, sourceRequest(values, version));
      if ('problem' in saved) return saved.problem;
      setVersion((held) => afterOwnChange(held, saved.source));
    }
    // One after the other, because each call returns the whole connector.
    for (const [place, table] of tables.entries()) {
      const words = values.dictionaries[place] ?? '';
      if (words === table.details) continue;
      const saved = await updateDictionary(table.id, words);
      if (!saved) return { message: t('dictionary.failed'), fields: [] };
      setVersion((held) => afterOwnChange(held, saved));
    }
    return null;
  }

  const dictionaryOf = (place: number, label: string) => (
    <TextArea
      control={control}
      name={`dictionaries.${place}`}
      label={label}
      rows={8}
      placeholder={t('dictionary.hint')}
    />
  );
  const steps: FormStep<SourceValues>[] = [
    {
      id: 'general',
      label: t('general'),
      fields: [
        'name',
        'description',
        'projectLabels',
        // With several tables, each dictionary has its own step.
        ...(tables.length > 1 ? [] : ['dictionaries' as const]),
      ],
      content: (
        <>
          <TextField
            control={control}
            name="name"
            label={t('field.name')}
            required
            limit={connectorNameLimit}
          />
          <TextArea
            control={control}
            name="description"
            label={t('field.description')}
            required
            rows={5}
            limit={connectorDescriptionLimit}
          />
          <SeveralField
            control={control}
            name="projectLabels"
            label={t('field.projects')}
            choices={projects.map((project) => ({ value: project.id, label: project.name }))}
          />
          {tables.length === 1 && dictionaryOf(0, t('dictionary'))}
        </>
      ),
    },
    ...(tables.length > 1 ? tables : []).map((table, place) => ({
      id: String(table.id),
      label: table.name,
      fields: [`dictionaries.${place}` as const],
      content: dictionaryOf(place, t('dictionary.of', { name: table.name })),
    })),
  ];

  return (
    <Page title={t('edit.title', { name: source.name })}>
      <StepForm
        form={form}
        schema={schema}
        steps={steps}
        isNew={false}
        submitLabel={t('save')}
        busyLabel={t('edit.busy')}
        onSubmit={save}
        onDone={leave}
        onCancel={leave}
      />
    </Page>
  );
}
