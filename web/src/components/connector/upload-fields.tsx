import { Skeleton, TextArea, TextField } from '@radix-ui/themes';
import { Field } from '@/components/form/field';
import { SwitchLine } from '@/components/form/switch-line';
import { extensionOf, type ConnectorForm } from '@/lib/connector-form';
import { connectors as t } from '@/messages/connectors';

/** The values of the upload form. */
export interface UploadFormValues extends ConnectorForm {
  /** It is only for the conversation in which it is uploaded. */
  conversationOnly: boolean;
}

interface UploadFieldsProps {
  form: UploadFormValues;
  problems: Readonly<Partial<Record<string, string>>>;
  /** The description is being fetched from the server. */
  inspecting: boolean;
  /** It can be limited to the conversation in which it is uploaded. */
  inConversation: boolean;
  disabled: boolean;
  onChange: (changes: Partial<UploadFormValues>) => void;
}

/** File name, name and description of a new connector. */
export function UploadFields(props: UploadFieldsProps) {
  const { form, problems, inspecting, inConversation, disabled, onChange } = props;
  return (
    <>
      <Field label={t('field.fileName')} problem={problems['fileName']}>
        {(ids) => (
          <TextField.Root
            {...ids}
            value={form.fileName}
            disabled={disabled}
            onChange={(event) => onChange({ fileName: event.target.value })}
          >
            <TextField.Slot side="right">.{extensionOf(form.file?.name ?? '')}</TextField.Slot>
          </TextField.Root>
        )}
      </Field>
      <Field label={t('field.name')} problem={problems['name']}>
        {(ids) => (
          <TextField.Root
            {...ids}
            value={form.name}
            disabled={disabled}
            onChange={(event) => onChange({ name: event.target.value })}
          />
        )}
      </Field>
      <Field label={t('field.description')} problem={problems['description']}>
        {(ids) =>
          inspecting ? (
            <Skeleton height="96px" aria-label={t('upload.describing')} />
          ) : (
            <TextArea
              {...ids}
              rows={4}
              resize="vertical"
              value={form.description}
              disabled={disabled}
              onChange={(event) => onChange({ description: event.target.value })}
            />
          )
        }
      </Field>
      {inConversation && (
        <SwitchLine
          label={t('upload.conversationOnly')}
          description={t('upload.conversationOnly.text')}
          checked={form.conversationOnly}
          disabled={disabled}
          onCheckedChange={(conversationOnly) => onChange({ conversationOnly })}
        />
      )}
    </>
  );
}
