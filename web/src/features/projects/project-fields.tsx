import { ColorField } from '@/components/project/color-field';
import type { FormControl } from '@/components/form/form-types';
import { TextArea } from '@/components/form/text-area';
import { TextField } from '@/components/form/text-field';
import { projectColors, projectLimits, type ProjectValues } from '@/lib/project-rules';
import { projects as t } from '@/messages/projects';

/** The fields of a project: all of them are required. */
export function ProjectFields({ control }: { control: FormControl<ProjectValues> }) {
  return (
    <>
      <TextField control={control} name="name" label={t('name')} limit={projectLimits.name} required />
      <TextArea
        control={control}
        name="description"
        label={t('description')}
        limit={projectLimits.description}
        required
      />
      <ColorField control={control} name="color" label={t('color')} colors={projectColors} />
    </>
  );
}
