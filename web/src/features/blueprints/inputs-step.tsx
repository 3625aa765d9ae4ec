import { Button, Heading, Text } from '@radix-ui/themes';
import { Plus, WandSparkles } from 'lucide-react';
import { useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { MessagePreview } from '@/components/blueprint/message-preview';
import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import { TextArea } from '@/components/form/text-area';
import type { BlueprintValues } from '@/lib/blueprint-form';
import { parseInputs, placeholderOf } from '@/lib/blueprint-message';
import { notify } from '@/lib/notify';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import { blueprints } from '@/messages/blueprints';
import { writtenMessage } from '@/stores/blueprints-store/save';
import type { BlueprintForm } from './editor-form';
import styles from './editor.module.css';
import { useWrittenMessage } from './use-written-message';

interface InputsStepProps {
  form: BlueprintForm;
  readOnly: boolean;
}

/** The inputs to fill in at the start, and the message that is sent then. */
export function InputsStep({ form, readOnly }: InputsStepProps) {
  const values = useWatch({ control: form.control }) as BlueprintValues;
  const inputs = parseInputs(values.inputParameters);
  const isGiven = values.initialMessage.trim() !== '';
  const written = useWrittenMessage({ ...values, initialMessage: '' }, !isGiven);
  const message = useRef<HTMLDivElement>(null);
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState(false);

  const setMessage = (text: string): void =>
    form.setValue('initialMessage', text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });

  /** Inserts the placeholder of a value at the cursor, or at the end. */
  function insert(input: string): void {
    const field = message.current?.querySelector('textarea');
    const text = values.initialMessage;
    const from = field?.selectionStart ?? text.length;
    const to = field?.selectionEnd ?? from;
    const piece = placeholderOf(input);
    setMessage(text.slice(0, from) + piece + text.slice(to));
    requestAnimationFrame(() => {
      field?.focus();
      field?.setSelectionRange(from + piece.length, from + piece.length);
    });
  }

  async function write(): Promise<boolean> {
    setBusy(true);
    const text = await writtenMessage({ ...form.getValues(), initialMessage: '' });
    setBusy(false);
    if (text === null) notify.error(blueprints('message.failed'));
    else setMessage(text);
    return text !== null;
  }

  return (
    <>
      <section className={styles.part} aria-labelledby="inputs-heading">
        <Heading as="h3" size="3" id="inputs-heading">
          {t('inputs.heading')}
        </Heading>
        <TextArea
          control={form.control}
          name="inputParameters"
          label={t('inputs.label')}
          description={t('inputs.help')}
          placeholder={t('inputs.example')}
          rows={4}
        />
        <Text as="p" size="1" color="gray" role="status">
          {t('inputs.found', { count: inputs.length })}
        </Text>
      </section>
      <section className={styles.part} ref={message}>
        <TextArea
          control={form.control}
          name="initialMessage"
          label={t('message.label')}
          description={t('message.help')}
          rows={6}
        />
        {!readOnly && (
          <div className={styles.chips}>
            {inputs.map(({ name }) => (
              <Button
                key={name}
                type="button"
                size="1"
                variant="soft"
                color="gray"
                aria-label={t('inputs.insert', { name })}
                onClick={() => insert(name)}
              >
                <Plus size={13} /> {name}
              </Button>
            ))}
            <Button
              type="button"
              size="1"
              variant="soft"
              loading={busy}
              onClick={() => (isGiven ? setAsking(true) : void write())}
            >
              <WandSparkles size={13} /> {t('message.write')}
            </Button>
          </div>
        )}
      </section>
      <section className={styles.part} aria-labelledby="preview-heading">
        <Heading as="h3" size="3" id="preview-heading">
          {t('preview.heading')}
        </Heading>
        <Text as="p" size="1" color="gray">
          {t('preview.help')}
        </Text>
        <MessagePreview
          message={isGiven ? values.initialMessage : written}
          inputs={inputs}
          note={isGiven ? undefined : t('preview.written')}
        />
      </section>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('message.replace.title')}
        confirmLabel={t('message.replace.confirm')}
        onConfirm={write}
      >
        {t('message.replace.text')}
      </ConfirmDialog>
    </>
  );
}
