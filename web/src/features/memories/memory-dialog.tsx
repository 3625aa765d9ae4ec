import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { SeveralField } from '@/components/form/combobox-field';
import { FormDialog } from '@/components/form/form-dialog';
import { SelectField } from '@/components/form/select-field';
import { SwitchField } from '@/components/form/switch-field';
import { TextArea } from '@/components/form/text-area';
import { TextField } from '@/components/form/text-field';
import { useSchemaForm } from '@/components/form/use-schema-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { codeLanguages, memoryLimits } from '@/lib/memory';
import type { Memory } from '@/lib/wire';
import { memories as t } from '@/messages/memories';
import { memoryWords, saveMemory } from '@/stores/memories-store';
import { memoryRequest, memorySchema, memoryValues, missing } from './memory-schema';
import styles from './memories.module.css';

interface MemoryDialogProps {
  /** The memory that is edited; `null` makes a new one. */
  memory: DeepReadonly<Memory> | null;
  onClose: () => void;
}

/** Makes a memory, or edits one. */
export function MemoryDialog({ memory, onClose }: MemoryDialogProps) {
  const { types, labels } = useSnapshot(memoryWords);
  // The memory as it was when the dialog opened: another person's changes must not change what is being typed.
  const [edited] = useState(memory);
  const form = useSchemaForm(memorySchema, memoryValues(edited));
  const { control } = form;
  const isIncomplete = Object.values(form.formState.errors).some((error) => error.message === missing);
  const languages = [...new Set([...codeLanguages, form.getValues('language') ?? ''])].filter(Boolean);
  const isNew = edited === null;

  return (
    <FormDialog
      title={t(isNew ? 'form.create.title' : 'form.edit.title')}
      description={t(isNew ? 'form.create.text' : 'form.edit.text')}
      form={form}
      submitLabel={t(isNew ? 'new' : 'form.save')}
      busyLabel={t(isNew ? 'form.create.busy' : 'form.edit.busy')}
      onlyChanged={!isNew}
      problem={isIncomplete ? t('form.required') : undefined}
      maxWidth="640px"
      onSubmit={(values) => saveMemory(edited?.id ?? null, memoryRequest(values, edited?.version))}
      onClose={onClose}
    >
      <TextField
        control={control}
        name="name"
        label={t('form.name')}
        description={t('form.name.hint')}
        limit={memoryLimits.name}
        required
      />
      <TextArea
        control={control}
        name="question"
        label={t('form.question')}
        description={t('form.question.hint')}
        rows={2}
        required
      />
      <TextArea
        control={control}
        name="response"
        label={t('form.response')}
        description={t('form.response.hint')}
        rows={4}
        required
      />
      <div className={styles.code}>
        <TextArea
          control={control}
          name="code"
          label={t('form.code')}
          description={t('form.code.hint')}
          rows={3}
        />
        <SelectField
          control={control}
          name="language"
          label={t('form.language')}
          choices={languages.map((language) => ({ value: language, label: language }))}
        />
      </div>
      <div className={styles.pair}>
        <SelectField
          control={control}
          name="type"
          label={t('form.type')}
          placeholder={t('form.type.placeholder')}
          choices={types.map(({ id, name }) => ({ value: id, label: name }))}
          required
        />
        <SeveralField
          control={control}
          name="labels"
          label={t('form.labels')}
          choices={labels.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </div>
      <SwitchField
        control={control}
        name="alwaysRecalled"
        label={t('form.always')}
        description={t('form.always.hint')}
      />
    </FormDialog>
  );
}
