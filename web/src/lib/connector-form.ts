import { characterCount, shorten } from './text';

/** Limits of a connector's fields, in characters. */
const connectorNameLimit = 80;
const connectorDescriptionLimit = 5000;

/** What the upload form holds. */
export interface ConnectorForm {
  file: File | null;
  fileName: string;
  name: string;
  description: string;
}

/** One message per field that breaks a rule, in the specification's words. */
export type ConnectorFormProblems = Partial<Record<keyof ConnectorForm, string>>;

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

/** The part after the last dot, in small letters. */
export function extensionOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? '' : name.slice(dot + 1).toLowerCase();
}

/**
 * The kind of an uploaded file: a name containing hyper is one of those; else the extension, because
 * Windows calls every CSV an Excel sheet; else what the browser says; else CSV.
 */
export function uploadTypeOf(file: Pick<File, 'name' | 'type'>): UploadType {
  if (file.name.toLowerCase().includes('hyper')) return 'hyper';
  const extension = extensionOf(file.name);
  const byName = uploadExtensions.find((known) => known === extension);
  return byName ?? mimeTypes[file.type] ?? 'csv';
}

/** Whether this server takes such a file; `accepted` are the extensions of its connector types. */
export function isSupportedFile(file: Pick<File, 'name'>, accepted: readonly string[]): boolean {
  const extension = extensionOf(file.name);
  return accepted.some((known) => known.replace(/^\./u, '').toLowerCase() === extension);
}

export const unsupportedFile = 'Error: Unsupported file type. Please upload a valid file format.';

/** Why a file is not worth sending, before any of it is sent; `maxSize` 0 says nothing about size. */
export function fileProblem(file: Pick<File, 'name' | 'size'>, maxSize: number): string | undefined {
  if (file.size === 0) return `Please provide a valid file: ${file.name} is empty`;
  if (maxSize > 0 && file.size > maxSize) {
    return `${file.name} is larger than ${Math.floor(maxSize / 2 ** 20)} MB`;
  }
  return undefined;
}

/** Whether a person has given the connector a name of their own, which another file does not change. */
export function isOwnName(form: ConnectorForm): boolean {
  return form.file !== null && form.name !== defaultConnectorName(form.file.name);
}

/** A file's name without its extension, as the form offers it for editing. */
function baseName(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** The default name of a connector: the file's, cut to what a name may have. */
export function defaultConnectorName(fileName: string): string {
  return shorten(baseName(fileName), connectorNameLimit);
}

/** Checks the edited name of the file. */
export function fileNameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'File name cannot be empty';
  // Letters and digits of every script; the rule is against path and control characters.
  if (!/^[\p{L}\p{M}\p{N}\s_()]+$/u.test(name)) return 'The name cannot contain special characters';
  return undefined;
}

/** A file name that passes {@link fileNameProblem}, made from one that may not. */
export function cleanFileName(name: string): string {
  return baseName(name)
    .replace(/[^\p{L}\p{M}\p{N}\s_()]+/gu, '_')
    .trim();
}

/** Checks the whole form. */
export function connectorFormProblems(form: ConnectorForm): ConnectorFormProblems {
  const problems: ConnectorFormProblems = {};
  if (form.file === null) problems.file = 'Please select a file';
  const nameProblem = form.file === null ? undefined : fileNameProblem(form.fileName);
  if (nameProblem !== undefined) problems.fileName = nameProblem;
  return { ...problems, ...connectorTextProblems(form) };
}

/** Checks what is said of a connector. */
export function connectorTextProblems(
  form: Pick<ConnectorForm, 'name' | 'description'>,
): Pick<ConnectorFormProblems, 'name' | 'description'> {
  const outside = (text: string, limit: number): boolean =>
    text.trim() === '' || characterCount(text) > limit;
  return {
    ...(outside(form.name, connectorNameLimit) && { name: 'Please enter a valid name' }),
    ...(outside(form.description, connectorDescriptionLimit) && {
      description: 'Please enter a valid description',
    }),
  };
}

/** The sentence beside the submit button when the form cannot be sent. */
export function submitProblem(problems: ConnectorFormProblems): string | undefined {
  if (problems.file !== undefined) return 'Please provide a valid file';
  if (problems.fileName !== undefined) return 'Please correct the file name before submitting';
  return undefined;
}
