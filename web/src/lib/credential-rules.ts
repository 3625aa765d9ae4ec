import * as z from 'zod/mini';
import { limitsOfSecretForm } from '@/api/limits.gen';
import { dataConfig as t } from '@/messages/data-config';
import { requiredFile, requiredText } from './rules';

/** The maximum length of a name, in characters. */
export const credentialNameMax = limitsOfSecretForm.name.characters;

/** The maximum size of a file on the server, in bytes. */
const largestFile = limitsOfSecretForm.file.bytes;

/** The rules for credentials, with the messages of the specification. */
export const credentialSchema = z.object({
  name: requiredText(t('name.invalid'), credentialNameMax),
  file: requiredFile(t('file.required'), [
    [(file) => file.size > 0, t('file.required')],
    [(file) => file.size <= largestFile, t('file.large')],
  ]),
});

export type CredentialValues = z.output<typeof credentialSchema>;
