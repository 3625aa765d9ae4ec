import { Skeleton } from '@radix-ui/themes';
import { Field } from '@/components/form/field';
import type { FormControl } from '@/components/form/form-types';
import { SwitchField } from '@/components/form/switch-field';
import { TextArea } from '@/components/form/text-area';
import { TextField } from '@/components/form/text-field';
import { connectorDescriptionLimit, connectorNameLimit, extensionOf } from '@/lib/connector-form';
import type { UploadFormValues } from '@/lib/connector-rules';
import { connectors as t } from '@/messages/connectors';

interface UploadFieldsProps {
  control: FormControl<UploadFormValues>;
  file: File;
  /** The description is being fetched from the server. */
  inspecting: boolean;
  /** It can be limited to the conversation in which it is uploaded. */
  inConversation: boolean;
}

/** File name, name and description of a new connector. */
export function UploadFields({ control, file, inspecting, inConversation }: UploadFieldsProps) {
  return (
    <>
      <TextField
        control={control}
        name="fileName"
        label={t('field.fileName')}
        ending={`.${extensionOf(file.name)}`}
        required
        eager
      />
      <TextField control={control} name="name" label={t('field.name')} limit={connectorNameLimit} required />
      {inspecting ? (
        <Field label={t('field.description')} problem={undefined}>
          {() => <Skeleton height="96px" aria-label={t('upload.describing')} />}
        </Field>
      ) : (
        <TextArea
          control={control}
          name="description"
          label={t('field.description')}
          limit={connectorDescriptionLimit}
          rows={4}
          required
        />
      )}
      {inConversation && (
        <SwitchField
          control={control}
          name="conversationOnly"
          label={t('upload.conversationOnly')}
          description={t('upload.conversationOnly.text')}
        />
      )}
    </>
  );
}
