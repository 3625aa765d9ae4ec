import { Button, IconButton, Text } from '@radix-ui/themes';
import { ChevronDown, ChevronRight, Plus, Trash2 } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useFormState, useWatch } from 'react-hook-form';
import { TextField } from '@/components/form/text-field';
import { Tooltip } from '@/components/tooltip/tooltip';
import {
  stepSections,
  withoutSection,
  withSection,
  type StepSection,
  type StepValues,
} from '@/lib/blueprint-form';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import type { BlueprintForm } from './editor-form';
import styles from './editor.module.css';
import { SectionField } from './section-field';

interface StepCardProps {
  form: BlueprintForm;
  index: number;
  /** Its name, or a default name while it has none. */
  name: string;
  handle: ReactNode;
  readOnly: boolean;
  canAddQa: boolean;
  /** Left out if it is the only step. */
  onRemove?: (() => void) | undefined;
}

/** One step: its name, its sections, and the chips that add the missing sections. */
export function StepCard({ form, index, name, handle, readOnly, canAddQa, onRemove }: StepCardProps) {
  const { control } = form;
  const path = `steps.${index}` as const;
  const step = useWatch({ control, name: path });
  const { errors, isSubmitted } = useFormState({ control, name: path });
  const wrong = errors.steps?.[index];
  const bodyId = useId();
  const [isFolded, setFolded] = useState(false);
  const isOpen = !isFolded || wrong !== undefined;
  // A message of the server about instructions that are not shown is shown for the step.
  const problem =
    wrong?.sections?.message ??
    (step.sections.includes('detailedInstructions') ? undefined : wrong?.detailedInstructions?.message);

  function change(next: StepValues): void {
    form.setValue(path, next, { shouldDirty: true });
    form.clearErrors(path);
    if (isSubmitted) void form.trigger(path);
  }

  function add(section: StepSection): void {
    change(withSection(step, section));
    // People who add a section want to fill it in.
    requestAnimationFrame(() => form.setFocus(`${path}.${section}`));
  }

  const offered = stepSections.filter(
    (section) => !step.sections.includes(section) && (section !== 'qaInstructions' || canAddQa),
  );
  return (
    <article className={styles.step} aria-label={t('plan.step', { number: index + 1, name })}>
      <header className={styles.stepHead}>
        {handle}
        <span className={styles.number} aria-hidden="true">
          {index + 1}
        </span>
        <div className={styles.stepName} data-step-name="">
          <TextField control={control} name={`${path}.name`} label={t('plan.name')} />
        </div>
        <IconButton
          type="button"
          variant="ghost"
          color="gray"
          size="1"
          aria-label={t(isOpen ? 'plan.fold' : 'plan.unfold', { name })}
          aria-expanded={isOpen}
          aria-controls={bodyId}
          onClick={() => setFolded(isOpen)}
        >
          {isOpen ? <ChevronDown size={16} /> : <ChevronRight size={16} />}
        </IconButton>
        {onRemove && (
          <Tooltip content={t('plan.remove', { name })}>
            <IconButton
              type="button"
              variant="ghost"
              color="gray"
              size="1"
              aria-label={t('plan.remove', { name })}
              onClick={onRemove}
            >
              <Trash2 size={15} />
            </IconButton>
          </Tooltip>
        )}
      </header>
      <div id={bodyId} className={styles.stepBody} hidden={!isOpen}>
        {isOpen &&
          step.sections.map((section) => (
            <SectionField
              key={section}
              control={control}
              index={index}
              section={section}
              stepName={name}
              readOnly={readOnly}
              onRemove={() => change(withoutSection(step, section))}
            />
          ))}
        {problem !== undefined && (
          <Text as="p" size="1" color="red" role="alert">
            {problem}
          </Text>
        )}
        {!readOnly && offered.length > 0 && (
          <div className={styles.chips} role="group" aria-label={t('plan.sections', { name })}>
            {offered.map((section) => (
              <Button
                key={section}
                type="button"
                size="1"
                variant="outline"
                color="gray"
                radius="full"
                aria-label={t('section.add', { section: t(`section.${section}`) })}
                onClick={() => add(section)}
              >
                <Plus size={13} /> {t(`section.${section}`)}
              </Button>
            ))}
          </div>
        )}
      </div>
    </article>
  );
}
