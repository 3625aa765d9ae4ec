import { useEffect, useRef } from 'react';
import { useWatch } from 'react-hook-form';
import { FileField } from '@/components/form/file-field';
import { FormDialog } from '@/components/form/form-dialog';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { dotted, extensionOf, offeredExtensions } from '@/lib/connector-form';
import { emptyUpload, uploadProblem, uploadSchema, type UploadFormValues } from '@/lib/connector-rules';
import type { SubmitFailure } from '@/lib/submit-failure';
import { connectors as t } from '@/messages/connectors';
import { UploadFields } from './upload-fields';
import type { InspectedFile, UploadValues } from './upload-values';
import { useInspection } from './use-inspection';

/** The props of the form. */
export interface UploadFormProps {
  onClose: () => void;
  /** File extensions that this server takes, with or without the dot. */
  accepted: readonly string[];
  /** The largest file that it takes, in bytes; 0 if it sets no limit. */
  maxSize: number;
  /** Asks the server what the file is; the description is proposed from it. */
  onInspect: (file: File, signal: AbortSignal) => Promise<InspectedFile>;
  /** Makes the connector; returns `null` on success. Closing the dialog aborts it. */
  onUpload: (values: UploadValues, signal: AbortSignal) => Promise<SubmitFailure | null>;
  /** Converts the error of a failed inspection. */
  explain: (error: unknown) => SubmitFailure;
  /** It is opened in a conversation, so that a file can be limited to it. */
  inConversation: boolean;
}

/** The dialog of a new connector while it is open. */
export function UploadForm(props: UploadFormProps) {
  const { onClose, accepted, onUpload, inConversation } = props;
  const form = useSchemaForm(uploadSchema, emptyUpload);
  const { control, formState } = form;
  const values = useWatch({ control }) as UploadFormValues;
  const { file, refused, description } = values;
  const { inspecting, unread, choose, read } = useInspection(form, props);
  const sending = useRef<AbortController | null>(null);

  // After Cancel, the connector that is being created is not wanted.
  useEffect(() => () => sending.current?.abort(), []);

  async function send({ file: chosen, fileName, refused: _, ...rest }: UploadFormValues) {
    // The rules let no form without a file through.
    if (chosen === null) return { message: t('rule.file'), fields: [] };
    const name = `${fileName.trim()}.${extensionOf(chosen.name)}`;
    const abort = new AbortController();
    sending.current = abort;
    return onUpload({ ...rest, file: new File([chosen], name, { type: chosen.type }) }, abort.signal);
  }

  const readAgain = unread !== null && file !== null ? () => void read(file) : undefined;
  return (
    <FormDialog
      title={t('add')}
      description={t('upload.text')}
      form={form}
      submitLabel={t('add')}
      problem={unread ?? (formState.isSubmitted ? uploadProblem(values) : undefined)}
      onRetry={readAgain}
      // If the description is missing because the file could not be read, that is not the person's mistake.
      instead={description.trim() === '' ? readAgain : undefined}
      waiting={inspecting}
      maxWidth="560px"
      onSubmit={send}
      onClose={onClose}
    >
      <FileField
        control={control}
        name="file"
        label={t('file.choose')}
        hint={accepted.map(dotted).join(', ')}
        accept={offeredExtensions(accepted)}
        busy={inspecting}
        onFile={choose}
      />
      {file !== null && refused === '' && <UploadFields {...{ control, file, inspecting, inConversation }} />}
    </FormDialog>
  );
}
