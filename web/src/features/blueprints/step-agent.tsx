import { useWatch } from 'react-hook-form';
import { SelectField } from '@/components/form/select-field';
import { useList } from '@/lib/use-collection';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import { analysts as heldAnalysts } from '@/stores/analysts-store';
import type { BlueprintControl } from './editor-form';

interface StepAgentProps {
  control: BlueprintControl;
  name: `steps.${number}.analyst`;
}

/** The agent that works on a step. */
export function StepAgent({ control, name }: StepAgentProps) {
  const { items: analysts } = useList(heldAnalysts, undefined);
  const chosen = useWatch({ control, name });
  const choices = analysts.map((analyst) => ({ value: analyst.id, label: analyst.name }));
  // An agent that was switched off, or is not shared with this person, is kept until another one is chosen.
  if (chosen !== null && !choices.some(({ value }) => value === chosen)) {
    choices.push({ value: chosen, label: t('section.analyst.unknown') });
  }
  return (
    <SelectField
      control={control}
      name={name}
      label={t('section.analyst')}
      description={t('section.analyst.help')}
      choices={choices}
      noneLabel={t('section.analyst.none')}
    />
  );
}
