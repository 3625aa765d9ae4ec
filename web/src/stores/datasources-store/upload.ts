import { useSnapshot } from 'valtio';
import { createDataSource, getFileInfo, type NewDataSource } from '@/api/datasources';
import { ApiError } from '@/api/errors';
import { uploadTypeOf } from '@/lib/connector-form';
import { notify } from '@/lib/notify';
import { uuidv7 } from '@/lib/uuid';
import type { DataSource, FileInfo } from '@/lib/wire';
import { changes, state } from './state';

/** Asks the server what a file is. */
function inspectFile(file: File, signal: AbortSignal): Promise<FileInfo> {
  return getFileInfo(file, signal);
}

/** What the upload form needs to show of a failure. */
export interface UploadProblem {
  /** Messages by field, as the server gave them. */
  fields: Readonly<Record<string, string>>;
  message: string;
}

/** Reads a failed upload; the server's own sentence is the best there is. */
export function uploadProblem(error: unknown): UploadProblem {
  if (!(error instanceof ApiError)) return { fields: {}, message: 'Failed to upload file' };
  const fields = Object.fromEntries(error.fields.map(({ field, message }) => [field, message]));
  return { fields, message: error.message };
}

/** What the upload form hands over; who may use it is the person alone, until they share it. */
type UploadInput = Pick<NewDataSource, 'file' | 'name' | 'description' | 'delimiter'>;

/** The key of the last upload that failed: sending the same again must not make a second connector. */
const lastUpload: { input: string; key: string } = { input: '', key: '' };

function uploadKey({ file, name, description, delimiter }: UploadInput): string {
  const input = JSON.stringify([file.name, file.size, file.lastModified, name, description, delimiter]);
  if (lastUpload.input !== input) Object.assign(lastUpload, { input, key: uuidv7() });
  return lastUpload.key;
}

/** Makes a connector of a file and puts it first in the list. */
async function uploadFile(
  input: UploadInput,
  signal: AbortSignal,
): Promise<{ source: DataSource } | { problem: UploadProblem }> {
  try {
    const type = uploadTypeOf(input.file);
    const source = await createDataSource({ ...input, scope: 'user', type }, uploadKey(input), signal);
    lastUpload.input = '';
    changes.count++;
    state.found.ids = [source.id, ...state.found.ids];
    state.sources = [source, ...state.sources.filter((other) => other.id !== source.id)];
    notify.success(`Connector ${source.name} successfully created`);
    return { source };
  } catch (error) {
    return { problem: uploadProblem(error) };
  }
}

/** What the upload dialog asks of its surroundings. */
interface UploadWiring {
  accepted: string[];
  maxSize: number;
  onInspect: typeof inspectFile;
  explain: typeof uploadProblem;
  onUpload: (input: UploadInput, signal: AbortSignal) => Promise<UploadProblem | null>;
}

/** Wires an upload dialog to this store; `onMade` hears of each connector that it has made. */
export function useUpload(onMade?: (id: number) => void): UploadWiring {
  const { types } = useSnapshot(state);
  return {
    accepted: types.flatMap((type) => (type.isUploadable ? type.extensions : [])),
    maxSize: Math.max(0, ...types.map((type) => type.maxSize)),
    onInspect: inspectFile,
    explain: uploadProblem,
    onUpload: async (input, signal) => {
      const result = await uploadFile(input, signal);
      if ('problem' in result) return result.problem;
      onMade?.(result.source.id);
      return null;
    },
  };
}
