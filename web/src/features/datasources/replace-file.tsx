import { useEffect, useRef } from 'react';
import { useSnapshot } from 'valtio';
import * as z from 'zod/mini';
import { FileField } from '@/components/form/file-field';
import { FormDialog } from '@/components/form/form-dialog';
import { useSchemaForm } from '@/components/form/use-schema-form';
import {
  acceptedExtensions,
  dotted,
  fileProblem,
  largestFile,
  offeredExtensions,
} from '@/lib/connector-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { requiredFile } from '@/lib/rules';
import type { SubmitFailure } from '@/lib/submit-failure';
import type { DataSource } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import { replaceFile } from '@/stores/datasources-store/change';
import { loadSourceTypes, sourceTypes } from '@/stores/datasources-store/sources';

const schema = z.object({ file: requiredFile(t('rule.file.required')) });

interface ReplaceFileProps {
  source: DeepReadonly<DataSource>;
  onClose: () => void;
}

/** Replaces the file of a connector. The dialog stays open, with the reason, if the server refuses the file. */
export function ReplaceFile({ source, onClose }: ReplaceFileProps) {
  const { types } = useSnapshot(sourceTypes);
  const form = useSchemaForm(schema, { file: null });
  const sending = useRef<AbortController | null>(null);
  const accepted = acceptedExtensions(types);

  useEffect(() => void loadSourceTypes(), []);

  // After Cancel, the file that is being uploaded is not wanted.
  useEffect(() => () => sending.current?.abort(), []);

  function choose(file: File): void {
    const message = fileProblem(file, { accepted, maxSize: largestFile(types) });
    form.clearErrors();
    // The file that was chosen before is kept.
    if (message === undefined) form.setValue('file', file, { shouldDirty: true });
    else form.setError('file', { type: 'refused', message });
  }

  async function replace(file: File): Promise<SubmitFailure | null> {
    const abort = new AbortController();
    sending.current = abort;
    const outcome = await replaceFile(source.id, file, source.version, abort.signal);
    return 'source' in outcome ? null : outcome.problem;
  }

  return (
    <FormDialog
      title={t('replace.title', { name: source.name })}
      description={t('replace.text', { name: source.fileName })}
      form={form}
      submitLabel={t('replace.confirm')}
      onSubmit={({ file }) => replace(file)}
      onClose={onClose}
    >
      <FileField
        control={form.control}
        name="file"
        label={t('file.choose')}
        hint={accepted.map(dotted).join(', ')}
        accept={offeredExtensions(accepted)}
        onFile={choose}
      />
    </FormDialog>
  );
}
