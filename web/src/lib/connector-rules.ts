import * as z from 'zod/mini';
import { connectors as t } from '@/messages/connectors';
import { connectorDescriptionLimit, connectorNameLimit, fileNameProblem } from './connector-form';
import { requiredText } from './rules';

/** The values of the form that makes a connector from a file. */
export interface UploadFormValues {
  file: File | null;
  /** Why the chosen file, or the only one that was offered, is refused; else empty. */
  refused: string;
  /** Without its extension. */
  fileName: string;
  name: string;
  description: string;
  delimiter: string;
  /** It is only for the conversation in which it is uploaded. */
  conversationOnly: boolean;
}

export const emptyUpload: UploadFormValues = {
  file: null,
  refused: '',
  fileName: '',
  name: '',
  description: '',
  delimiter: 'auto',
  conversationOnly: false,
};

/** What is wrong with the file, if anything. */
function chosenFileProblem({ file, refused }: UploadFormValues): string | undefined {
  if (refused !== '') return refused;
  return file === null ? t('rule.file') : undefined;
}

/** The rules for a connector of a file, with the messages of the specification. */
export const uploadSchema: z.ZodMiniType<UploadFormValues, UploadFormValues> = z
  .object({
    file: z.nullable(z.custom<File>()),
    refused: z.string(),
    fileName: z.string(),
    name: requiredText(t('rule.name'), connectorNameLimit),
    description: requiredText(t('rule.description'), connectorDescriptionLimit),
    delimiter: z.string(),
    conversationOnly: z.boolean(),
  })
  .check(({ value, issues }) => {
    const add = (field: 'file' | 'fileName', message: string | undefined): void => {
      if (message !== undefined)
        issues.push({ code: 'custom', path: [field], message, input: value, continue: true });
    };
    add('file', chosenFileProblem(value));
    // The name of a file that is not there is not shown.
    if (value.file !== null) add('fileName', fileNameProblem(value.fileName));
  });

/**
 * The sentence for the whole form if it cannot be sent; it does not repeat the message of a field. If every file so
 * far was refused before it was chosen, there is no file yet.
 */
export function uploadProblem(values: UploadFormValues): string | undefined {
  const problem = chosenFileProblem(values);
  const said = problem === t('rule.file') || problem?.startsWith(t('rule.file.invalid'));
  if (problem !== undefined && said !== true)
    return t(values.file === null ? 'rule.file.required' : 'rule.file.invalid');
  if (values.file !== null && fileNameProblem(values.fileName) !== undefined)
    return t('rule.fileName.correct');
  return undefined;
}
