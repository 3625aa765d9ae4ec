import { Callout } from '@radix-ui/themes';
import { Lock } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { Page } from '@/components/page/page';
import { StepForm } from '@/components/step-form/step-form';
import { blueprintValues, newBlueprint } from '@/lib/blueprint-form';
import { blueprintSchema } from '@/lib/blueprint-rules';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { Blueprint } from '@/lib/wire';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import { meState } from '@/stores/me-store';
import { ConflictDialog } from './conflict-dialog';
import { ConnectorsStep } from './connectors-step';
import { EditorSummary } from './editor-summaries';
import { GeneralStep } from './general-step';
import { InputsStep } from './inputs-step';
import { PlanStep } from './plan-step';
import { useBlueprintSaving } from './use-blueprint-saving';

interface BlueprintEditorProps {
  /** `null` makes a new one. All but the owner see the form and cannot change it. */
  blueprint: DeepReadonly<Blueprint> | null;
}

/** The form of a blueprint in four steps. */
export function BlueprintEditor({ blueprint }: BlueprintEditorProps) {
  const navigate = useNavigate();
  const { user } = useSnapshot(meState);
  const [initial] = useState(() =>
    blueprint ? blueprintValues(blueprint) : newBlueprint(t('plan.new', { number: 1 })),
  );
  const form = useSchemaForm(blueprintSchema, initial);
  const { save, saved, onChoose } = useBlueprintSaving(form, blueprint);
  const readOnly = blueprint !== null && !blueprint.abilities.edit;
  const { control } = form;

  return (
    <Page
      title={
        blueprint ? (readOnly ? blueprint.name : t('title.edit', { name: blueprint.name })) : t('title.new')
      }
    >
      {readOnly && (
        <Callout.Root size="1" color="gray" mb="4">
          <Callout.Icon>
            <Lock size={15} />
          </Callout.Icon>
          <Callout.Text>{t('readOnly')}</Callout.Text>
        </Callout.Root>
      )}
      <StepForm
        form={form}
        schema={blueprintSchema}
        isNew={blueprint === null}
        readOnly={readOnly}
        submitLabel={t(blueprint ? 'save' : 'create')}
        busyLabel={t(blueprint ? 'updating' : 'creating')}
        onSubmit={save}
        onDone={() => {
          const done = saved();
          if (done) void navigate(paths.blueprint(done.id), { replace: true });
        }}
        onCancel={() => void navigate(blueprint ? paths.blueprint(blueprint.id) : paths.blueprints)}
        steps={[
          {
            id: 'general',
            label: t('step.general'),
            fields: ['name', 'description', 'projectLabels'],
            content: <GeneralStep control={control} />,
            summary: <EditorSummary form={form} of="general" />,
          },
          {
            id: 'connectors',
            label: t('step.connectors'),
            fields: ['dataSources'],
            content: <ConnectorsStep control={control} missing={blueprint?.missingDataSources ?? 0} />,
            summary: <EditorSummary form={form} of="connectors" />,
          },
          {
            id: 'inputs',
            label: t('step.inputs'),
            fields: ['inputParameters', 'initialMessage'],
            content: <InputsStep form={form} readOnly={readOnly} />,
            summary: <EditorSummary form={form} of="inputs" />,
          },
          {
            id: 'plan',
            label: t('step.plan'),
            fields: ['steps'],
            content: <PlanStep form={form} readOnly={readOnly} canAddQa={user?.isSuperuser === true} />,
            summary: <EditorSummary form={form} of="plan" />,
          },
        ]}
      />
      {onChoose && <ConflictDialog onChoose={onChoose} />}
    </Page>
  );
}
