import { createDataSource, getFileInfo, type NewDataSource } from '@/api/datasources';
import { ApiError } from '@/api/errors';
import { AttemptKey } from '@/lib/attempt-key';
import { acceptedExtensions, largestFile, uploadTypeOf } from '@/lib/connector-form';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { notify } from '@/lib/notify';
import { submitFailure, type SubmitFailure } from '@/lib/submit-failure';
import type { DataSource, DataSourceType, FileInfo } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import { dataSources } from './sources';

/** Converts the error of a failed upload; the server's own message is the most precise. */
export function uploadProblem(error: unknown): SubmitFailure {
  const failure = submitFailure(error, t('upload.failed'));
  // An unsupported kind is a problem of the file, even if the answer names no field.
  if (error instanceof ApiError && error.status === 415 && failure.fields.length === 0)
    return { ...failure, fields: [{ field: 'file', message: failure.message }] };
  return failure;
}

/** What the upload form submits. */
interface UploadInput extends Pick<NewDataSource, 'file' | 'name' | 'description' | 'delimiter'> {
  /** It must belong to the conversation in which it was uploaded. */
  conversationOnly: boolean;
}

/** Sending the same again after a failure must not make a second connector. */
const attempt = new AttemptKey();

/**
 * Makes a connector from a file. Only the person may use it, until they share it; a connector that belongs to a
 * conversation may be used by all readers of that conversation, and only there.
 */
async function uploadFile(
  input: UploadInput,
  conversation: string | undefined,
  signal: AbortSignal,
): Promise<{ source: DataSource } | { problem: SubmitFailure }> {
  const { file, name, description, delimiter } = input;
  const conversationId = input.conversationOnly ? conversation : undefined;
  const key = attempt.of([
    file.name,
    file.size,
    file.lastModified,
    name,
    description,
    delimiter,
    conversationId,
  ]);
  const made: NewDataSource = {
    ...{ file, name, description, delimiter },
    type: uploadTypeOf(file),
    ...(conversationId === undefined ? { scope: 'user' } : { scope: 'conversation', conversationId }),
  };
  try {
    const source = await createDataSource(made, key, signal);
    attempt.done();
    dataSources.put(source);
    notify.success(t('created', { name: source.name }));
    return { source };
  } catch (error) {
    return { problem: uploadProblem(error) };
  }
}

/** What the upload dialog needs of its parent. */
interface UploadWiring {
  accepted: string[];
  maxSize: number;
  onInspect: (file: File, signal: AbortSignal) => Promise<FileInfo>;
  explain: typeof uploadProblem;
  onUpload: (input: UploadInput, signal: AbortSignal) => Promise<SubmitFailure | null>;
  inConversation: boolean;
}

/**
 * The props of an upload dialog; `onMade` is called with each connector that it has made. With a conversation, it
 * can make a connector for that conversation only.
 */
export function uploadWiring(
  types: readonly DeepReadonly<DataSourceType>[],
  onMade?: (source: DataSource) => void,
  conversation?: string,
): UploadWiring {
  return {
    accepted: acceptedExtensions(types),
    maxSize: largestFile(types),
    onInspect: getFileInfo,
    explain: uploadProblem,
    onUpload: async (input, signal) => {
      const result = await uploadFile(input, conversation, signal);
      if ('problem' in result) return result.problem;
      onMade?.(result.source);
      return null;
    },
    inConversation: conversation !== undefined,
  };
}
