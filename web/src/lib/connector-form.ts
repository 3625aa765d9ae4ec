import { limitsOfDataSourceChanges } from '@/api/limits.gen';
import { connectors as t } from '@/messages/connectors';
import { shorten } from './text';

/** Limits of a connector's fields, in characters. */
export const connectorNameLimit = limitsOfDataSourceChanges.name.characters;
export const connectorDescriptionLimit = limitsOfDataSourceChanges.description.characters;

/** Kinds of files that the specification knows, by what their names end in. */
const uploadExtensions = ['csv', 'xlsx', 'xls', 'hyper', 'ppt', 'pptx'] as const;
export type UploadType = (typeof uploadExtensions)[number];

const mimeTypes: Readonly<Record<string, UploadType>> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.ms-powerpoint': 'ppt',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': 'pptx',
};

/** The part after the last dot, in lower case. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/**
 * The kind of an uploaded file: a name that contains hyper is of that kind; else the extension, because Windows
 * calls every CSV an Excel sheet; else what the browser says; else CSV.
 */
export function uploadTypeOf(file: Pick<File, 'name' | 'type'>): UploadType {
  if (file.name.toLowerCase().includes('hyper')) return 'hyper';
  const extension = extensionOf(file.name);
  const byName = uploadExtensions.find((known) => known === extension);
  return byName ?? mimeTypes[file.type] ?? 'csv';
}

interface FileType {
  readonly isUploadable: boolean;
  readonly extensions: readonly string[];
  readonly maxSize: number;
}

/** The extensions of the files that a server of these types takes. */
export function acceptedExtensions(types: readonly FileType[]): string[] {
  return types.flatMap((type) => (type.isUploadable ? type.extensions : []));
}

/** The largest file that it takes, in bytes; 0 if it sets no limit. */
export function largestFile(types: readonly FileType[]): number {
  return Math.max(0, ...types.map((type) => type.maxSize));
}

/**
 * Kinds that every server knows by name. For those that it does not accept, its error says what to do with the
 * file, so they are sent to it, too.
 */
const explainedExtensions = ['.xls', '.xlsm', '.xltx', '.xlsb', '.ppt', '.pptm', '.ppsx', '.tab'];

/** A file extension with its dot. */
export function dotted(extension: string): string {
  return extension.startsWith('.') ? extension : `.${extension}`;
}

/**
 * The file types of the file dialog: those that this server accepts, and those for which it has a specific message.
 */
export function offeredExtensions(accepted: readonly string[]): string[] {
  return [...new Set([...accepted.map((name) => dotted(name).toLowerCase()), ...explainedExtensions])];
}

interface TakenFiles {
  /** The extensions of the server's connector types. */
  accepted: readonly string[];
  /** The largest file that it takes, in bytes; 0 if it sets no limit. */
  maxSize: number;
}

/** Why the server would refuse a file, before any of it is sent. */
export function fileProblem(file: Pick<File, 'name' | 'size'>, taken: TakenFiles): string | undefined {
  const { accepted, maxSize } = taken;
  if (!offeredExtensions(accepted).includes(`.${extensionOf(file.name)}`)) return t('rule.file.type');
  if (file.size === 0) return t('rule.file.empty', { name: file.name });
  if (maxSize > 0 && file.size > maxSize) {
    return t('rule.file.large', { name: file.name, size: String(Math.floor(maxSize / 2 ** 20)) });
  }
  return undefined;
}

/** Whether the person has typed a name for the connector, which another file must not change. */
export function isOwnName(form: { readonly file: File | null; readonly name: string }): boolean {
  return form.file !== null && form.name !== defaultConnectorName(form.file.name);
}

/** A file's name without its extension, for editing in the form. */
function baseName(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** The default name of a connector: the file's name, cut to the maximum length. */
export function defaultConnectorName(fileName: string): string {
  return shorten(baseName(fileName), connectorNameLimit);
}

/** Checks the edited name of the file. */
export function fileNameProblem(name: string): string | undefined {
  if (name.trim() === '') return t('rule.fileName.empty');
  // Letters and digits of every script; the rule is against path and control characters.
  if (!/^[\p{L}\p{M}\p{N}\s_()]+$/u.test(name)) return t('rule.fileName.characters');
  return undefined;
}

/** A file name that passes {@link fileNameProblem}, made from one that may not pass. */
export function cleanFileName(name: string): string {
  return baseName(name)
    .replace(/[^\p{L}\p{M}\p{N}\s_()]+/gu, '_')
    .trim();
}
