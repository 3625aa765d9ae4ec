import { SeveralField } from '@/components/form/combobox-field';
import { TextArea } from '@/components/form/text-area';
import { TextField } from '@/components/form/text-field';
import { blueprintLimits } from '@/lib/blueprint-rules';
import { useList } from '@/lib/use-collection';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import { projectLabels as heldProjects } from '@/stores/project-labels-store';
import type { BlueprintControl } from './editor-form';

/** The name, the description and the projects of the blueprint. */
export function GeneralStep({ control }: { control: BlueprintControl }) {
  const { items: labels } = useList(heldProjects, undefined);
  return (
    <>
      <TextField
        control={control}
        name="name"
        label={t('general.title')}
        placeholder={t('general.title.example')}
        limit={blueprintLimits.name}
        required
      />
      <TextArea
        control={control}
        name="description"
        label={t('general.description')}
        description={t('general.description.help')}
        limit={blueprintLimits.description}
        rows={4}
      />
      <SeveralField
        control={control}
        name="projectLabels"
        label={t('general.projects')}
        choices={labels.map(({ id, name }) => ({ value: id, label: name }))}
        max={blueprintLimits.projectLabels}
      />
    </>
  );
}
