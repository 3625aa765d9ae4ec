import { Button, Dialog, Flex, Text } from '@radix-ui/themes';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  cleanFileName,
  connectorFormProblems,
  defaultConnectorName,
  extensionOf,
  fileProblem,
  isOwnName,
  submitProblem,
  type ConnectorFormProblems,
} from '@/lib/connector-form';
import { common } from '@/messages/common';
import { connectors as t } from '@/messages/connectors';
import { FileDrop } from './file-drop';
import { UploadFailed } from './upload-failed';
import { UploadFields, type UploadFormValues } from './upload-fields';
import type { InspectedFile, UploadFailure, UploadValues } from './upload-values';

/** The props of the form. */
export interface UploadFormProps {
  onOpenChange: (open: boolean) => void;
  /** File extensions that this server takes, with or without the dot. */
  accepted: readonly string[];
  /** The largest file that it takes, in bytes; 0 if it sets no limit. */
  maxSize: number;
  /** Asks the server what the file is; the description is proposed from it. */
  onInspect: (file: File, signal: AbortSignal) => Promise<InspectedFile>;
  /** Makes the connector; returns `null` on success. Closing the dialog aborts it. */
  onUpload: (values: UploadValues, signal: AbortSignal) => Promise<UploadFailure | null>;
  /** Converts the error of a failed inspection. */
  explain: (error: unknown) => UploadFailure;
  /** It is opened in a conversation, so that a file can be limited to it. */
  inConversation: boolean;
}

const emptyForm: UploadFormValues = {
  file: null,
  fileName: '',
  name: '',
  description: '',
  conversationOnly: false,
};

/** The form lives only while the dialog is open, so that the next one starts empty. */
export function UploadForm(props: UploadFormProps) {
  const { onOpenChange, accepted, maxSize, onInspect, onUpload, explain, inConversation } = props;
  const [form, setForm] = useState(emptyForm);
  const [delimiter, setDelimiter] = useState('auto');
  const [phase, setPhase] = useState<'choose' | 'inspecting' | 'ready' | 'uploading'>('choose');
  const [checked, setChecked] = useState(false);
  const [failure, setFailure] = useState<UploadFailure | null>(null);
  /** The chosen file could not be read, for a reason that may be temporary. */
  const [unread, setUnread] = useState(false);
  /** Why a file is refused: the chosen one, or one that was to replace it. */
  const [refusal, setRefusal] = useState<{ reason: string; chosen: boolean } | null>(null);
  const inspection = useRef<AbortController | null>(null);
  const sending = useRef<AbortController | null>(null);
  // The description that the server proposed: a different one was typed by the person.
  const proposed = useRef('');

  const problems = connectorFormProblems(form);
  const refused = refusal === null ? {} : { file: refusal.reason };
  if (refusal?.chosen === true || form.file === null) Object.assign(problems, refused);
  // Before the first submit, problems are shown only for the field that is being edited.
  const early = problems.fileName === undefined ? {} : { fileName: problems.fileName };
  const shown: ConnectorFormProblems = { ...(checked ? problems : early), ...refused };

  // After Cancel, the connector that is being created is not wanted.
  useEffect(
    () => () => {
      inspection.current?.abort();
      sending.current?.abort();
    },
    [],
  );

  async function choose(file: File): Promise<void> {
    const reason = fileProblem(file, { accepted, maxSize });
    if (reason !== undefined) {
      // The file that was chosen before is kept, with what has been typed for it.
      setRefusal((now) => ({ reason, chosen: now?.chosen === true }));
      return;
    }
    const before = proposed.current;
    proposed.current = '';
    setForm((now) => ({
      ...now,
      file,
      fileName: cleanFileName(file.name),
      name: isOwnName(now) ? now.name : defaultConnectorName(file.name),
      description: now.description === before ? '' : now.description,
    }));
    await read(file);
  }

  /** Asks the server what the chosen file is. */
  async function read(file: File): Promise<void> {
    inspection.current?.abort();
    const abort = new AbortController();
    inspection.current = abort;
    setFailure(null);
    setRefusal(null);
    setUnread(false);
    setChecked(false);
    setPhase('inspecting');
    try {
      const info = await onInspect(file, abort.signal);
      if (abort.signal.aborted) return;
      setDelimiter(info.delimiter === '' ? 'auto' : info.delimiter);
      proposed.current = info.description;
      // What the person has typed meanwhile is kept.
      setForm((now) => ({
        ...now,
        description: now.description === '' ? info.description : now.description,
      }));
      setPhase('ready');
    } catch (error) {
      if (abort.signal.aborted) return;
      setPhase('ready');
      const failed = explain(error);
      const about = failed.fields['file'];
      if (about === undefined) {
        setFailure(failed);
        setUnread(true);
      } else {
        setRefusal({ reason: about, chosen: true });
      }
    }
  }

  const readAgain = useEffectEvent(() => {
    if (unread && form.file !== null && phase === 'ready') void read(form.file);
  });
  // When the connection is back, the file is read again without a press.
  useEffect(() => {
    const again = (): void => readAgain();
    window.addEventListener('online', again);
    return () => window.removeEventListener('online', again);
  }, []);

  async function submit(): Promise<void> {
    // A second press before the button is shown as busy sends nothing.
    if (sending.current !== null) return;
    // If the description is missing because the file could not be read, that is not the person's mistake.
    if (unread && form.file !== null && form.description.trim() === '') {
      await read(form.file);
      return;
    }
    setChecked(true);
    // The message about the file stays as long as there is something to correct.
    if (Object.keys(problems).length > 0 || !form.file) return;
    setFailure(null);
    setRefusal(null);
    setUnread(false);
    setPhase('uploading');
    const name = `${form.fileName.trim()}.${extensionOf(form.file.name)}`;
    const file = new File([form.file], name, { type: form.file.type });
    const abort = new AbortController();
    sending.current = abort;
    const failed = await onUpload(
      {
        file,
        name: form.name.trim(),
        description: form.description.trim(),
        delimiter,
        conversationOnly: form.conversationOnly,
      },
      abort.signal,
    );
    if (abort.signal.aborted) return;
    sending.current = null;
    if (failed) {
      setFailure(failed);
      setPhase('ready');
    } else {
      onOpenChange(false);
    }
  }

  const { file } = form;
  const blocked = checked ? submitProblem(problems, form.file !== null) : undefined;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Flex direction="column" gap="4">
        <FileDrop
          file={form.file}
          busy={phase === 'inspecting'}
          disabled={phase === 'uploading'}
          accepted={accepted}
          problem={shown.file}
          onFile={(file) => void choose(file)}
        />
        {form.file !== null && refusal?.chosen !== true && (
          <UploadFields
            form={form}
            problems={{ ...shown, ...failure?.fields }}
            inspecting={phase === 'inspecting'}
            inConversation={inConversation}
            disabled={phase === 'uploading'}
            onChange={(changes) => setForm((now) => ({ ...now, ...changes }))}
          />
        )}
        {failure && failure.message !== '' && (
          <UploadFailed
            message={failure.message}
            onRetry={unread && file !== null ? () => void read(file) : undefined}
          />
        )}
        <Flex gap="3" justify="end" align="center">
          {blocked !== undefined && (
            <Text size="1" color="red" role="alert" mr="auto">
              {blocked}
            </Text>
          )}
          <Dialog.Close>
            <Button type="button" variant="soft" color="gray">
              {common('cancel')}
            </Button>
          </Dialog.Close>
          <Button type="submit" loading={phase === 'uploading'} disabled={phase === 'inspecting'}>
            {t('add')}
          </Button>
        </Flex>
      </Flex>
    </form>
  );
}
