import { Text } from '@radix-ui/themes';
import { useEffect } from 'react';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { useSnapshot } from 'valtio';
import { SeveralField } from '@/components/form/combobox-field';
import { SelectField } from '@/components/form/select-field';
import { TextArea } from '@/components/form/text-area';
import { TextField } from '@/components/form/text-field';
import { agentLimits, agentListMax, controllers } from '@/lib/agent';
import { useList } from '@/lib/use-collection';
import { agents as t } from '@/messages/agents';
import { agentModels, loadAgentModels } from '@/stores/agents-store';
import { projectLabels as heldProjects } from '@/stores/project-labels-store';
import type { AgentValues } from './agent-schema';
import styles from './agents.module.css';
import { modelName } from './model-name';
import { PictureField } from './picture-field';

interface GeneralStepProps {
  form: UseFormReturn<AgentValues, unknown, AgentValues>;
}

/** One choice for each of these names, without duplicates. */
function choicesOf(names: readonly (string | null)[]): { value: string; label: string }[] {
  const known = names.flatMap((name) => (name === null || name === '' ? [] : [name]));
  return [...new Set(known)].map((value) => ({ value, label: modelName(value) }));
}

/** The step with an agent's name, description and model. */
export function GeneralStep({ form }: GeneralStepProps) {
  const { control } = form;
  const { status, models } = useSnapshot(agentModels);
  const { items: labels } = useList(heldProjects, undefined);
  const [provider, model, controller] = useWatch({ control, name: ['provider', 'model', 'controller'] });
  const ofProvider = models.filter((one) => provider === null || one.provider === provider);
  const usual = models[0];

  useEffect(() => {
    void loadAgentModels();
  }, []);

  /** A model belongs to a provider: when the provider changes, its first model is chosen. */
  function chooseModel(next: string | null): void {
    const first = models.find((one) => one.provider === next);
    form.setValue('model', first?.model ?? null, { shouldDirty: true });
  }

  return (
    <>
      <TextField control={control} name="name" label={t('form.name')} limit={agentLimits.name} required />
      <TextArea
        control={control}
        name="description"
        label={t('form.description')}
        description={t('form.description.hint')}
        limit={agentLimits.description}
        rows={2}
      />
      <SelectField
        control={control}
        name="controller"
        label={t('form.controller')}
        description={t('form.controller.hint')}
        choices={choicesOf([...controllers, controller]).map(({ value }) => ({
          value,
          label: value === 'analyst' ? t('controller.analyst') : value,
        }))}
      />
      <div className={styles.pair}>
        <SelectField
          control={control}
          name="provider"
          label={t('form.provider')}
          placeholder={
            usual
              ? t('form.model.usual', { name: modelName(usual.provider) })
              : t('form.provider.placeholder')
          }
          // An agent may keep its provider, even if it is no longer offered.
          choices={choicesOf([...models.map((one) => one.provider), provider])}
          onChosen={chooseModel}
        />
        <SelectField
          control={control}
          name="model"
          label={t('form.model')}
          placeholder={
            usual ? t('form.model.usual', { name: modelName(usual.model) }) : t('form.model.placeholder')
          }
          choices={choicesOf([...ofProvider.map((one) => one.model), model])}
          onChosen={(next) => {
            const chosen = models.find((one) => one.model === next);
            if (provider === null && chosen) {
              form.setValue('provider', chosen.provider, { shouldDirty: true });
            }
          }}
        />
      </div>
      {status === 'failed' && (
        <Text as="p" size="1" color="red" role="alert">
          {t('form.model.failed')}
        </Text>
      )}
      <TextArea
        control={control}
        name="instructions"
        label={t('form.instructions')}
        description={t('form.instructions.hint')}
        limit={agentLimits.instructions}
        rows={4}
      />
      <SeveralField
        control={control}
        name="projectLabels"
        label={t('form.projects')}
        choices={labels.map(({ id, name }) => ({ value: id, label: name }))}
        max={agentListMax}
      />
      <PictureField control={control} />
    </>
  );
}
