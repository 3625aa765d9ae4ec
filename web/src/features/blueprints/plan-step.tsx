import { Button, Text, VisuallyHidden } from '@radix-ui/themes';
import { Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useFieldArray, useFormState, useWatch } from 'react-hook-form';
import { SortableList } from '@/components/sortable-list/sortable-list';
import { newStep } from '@/lib/blueprint-form';
import { blueprintLimits } from '@/lib/blueprint-rules';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import type { BlueprintForm } from './editor-form';
import styles from './editor.module.css';
import { StepCard } from './step-card';

interface PlanStepProps {
  form: BlueprintForm;
  readOnly: boolean;
  /** QA instructions are added by superusers. */
  canAddQa: boolean;
}

/** The steps of the blueprint, in their order. */
export function PlanStep({ form, readOnly, canAddQa }: PlanStepProps) {
  const { control } = form;
  const { fields, append, remove, move } = useFieldArray({ control, name: 'steps', keyName: 'key' });
  const steps = useWatch({ control, name: 'steps' });
  const { errors } = useFormState({ control, name: 'steps' });
  const place = useRef<HTMLDivElement>(null);
  const [told, setTold] = useState('');
  const nameOf = (index: number): string =>
    steps[index]?.name.trim() === '' ? t('plan.new', { number: index + 1 }) : (steps[index]?.name ?? '');

  /** Returns a default name with the first number that no step uses yet. */
  function nextName(): string {
    const names = new Set(steps.map(({ name }) => name.trim()));
    for (let number = steps.length + 1; ; number++) {
      const name = t('plan.new', { number });
      if (!names.has(name)) return name;
    }
  }

  function add(): void {
    append(newStep(nextName()), { focusName: `steps.${fields.length}.name` });
  }

  function removeAt(index: number): void {
    setTold(t('plan.removed', { name: nameOf(index) }));
    remove(index);
    // The focused element was removed: the focus moves to another step.
    requestAnimationFrame(() => {
      const names = place.current?.querySelectorAll<HTMLElement>('[data-step-name] input');
      names?.[Math.min(index, names.length - 1)]?.focus();
    });
  }

  return (
    <div ref={place} className={styles.part}>
      <SortableList
        label={t('plan.heading')}
        fixed={readOnly || fields.length < 2}
        entries={fields.map(({ key }, index) => ({ id: key, name: nameOf(index) }))}
        onMove={move}
      >
        {({ name }, index, handle) => (
          <StepCard
            form={form}
            index={index}
            name={name}
            handle={handle}
            readOnly={readOnly}
            canAddQa={canAddQa}
            {...(!readOnly && fields.length > 1 && { onRemove: () => removeAt(index) })}
          />
        )}
      </SortableList>
      {errors.steps?.root?.message !== undefined && (
        <Text as="p" size="1" color="red" role="alert">
          {errors.steps.root.message}
        </Text>
      )}
      <VisuallyHidden role="status">{told}</VisuallyHidden>
      {!readOnly && (
        <div className={styles.chips}>
          <Button
            type="button"
            variant="soft"
            disabled={fields.length >= blueprintLimits.steps}
            onClick={add}
          >
            <Plus size={15} /> {t('plan.add')}
          </Button>
          {fields.length >= blueprintLimits.steps && (
            <Text size="1" color="gray">
              {t('plan.full')}
            </Text>
          )}
        </div>
      )}
    </div>
  );
}
