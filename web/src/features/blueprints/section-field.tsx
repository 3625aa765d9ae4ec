import { IconButton } from '@radix-ui/themes';
import { X } from 'lucide-react';
import { CodeField } from '@/components/code-editor/code-field';
import { TextArea } from '@/components/form/text-area';
import { Tooltip } from '@/components/tooltip/tooltip';
import type { StepSection } from '@/lib/blueprint-form';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import type { BlueprintControl } from './editor-form';
import styles from './editor.module.css';
import { StepAgent } from './step-agent';
import { StepMemories } from './step-memories';

interface SectionFieldProps {
  control: BlueprintControl;
  /** The index of the step. */
  index: number;
  section: StepSection;
  stepName: string;
  readOnly: boolean;
  onRemove: () => void;
}

/** One section of a step: its field, and the button that removes it with its content. */
export function SectionField({ section, stepName, readOnly, onRemove, ...place }: SectionFieldProps) {
  const label = t('section.remove', { section: t(`section.${section}`), step: stepName });
  return (
    <div className={styles.section} data-section={section}>
      <SectionControl {...place} section={section} />
      {!readOnly && (
        <Tooltip content={label}>
          <IconButton
            type="button"
            size="1"
            variant="ghost"
            color="gray"
            className={styles.sectionRemove ?? ''}
            aria-label={label}
            onClick={onRemove}
          >
            <X size={14} />
          </IconButton>
        </Tooltip>
      )}
    </div>
  );
}

function SectionControl({
  control,
  index,
  section,
}: Pick<SectionFieldProps, 'control' | 'index' | 'section'>) {
  const path = `steps.${index}` as const;
  switch (section) {
    case 'analyst':
      return <StepAgent control={control} name={`${path}.analyst`} />;
    case 'memories':
      return <StepMemories control={control} name={`${path}.memories`} />;
    case 'code':
      return (
        <CodeField
          control={control}
          name={`${path}.code`}
          languageName={`${path}.language`}
          label={t('section.code')}
        />
      );
    default:
      return (
        <TextArea
          control={control}
          name={`${path}.${section}`}
          label={t(`section.${section}`)}
          description={t(`section.${section}.help`)}
          rows={4}
        />
      );
  }
}
