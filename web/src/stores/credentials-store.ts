import { createCredential } from '@/api/credentials';
import type { CredentialValues } from '@/lib/credential-rules';
import { notify } from '@/lib/notify';
import { submitFailure, type SubmitFailure } from '@/lib/submit-failure';
import { uuidv7 } from '@/lib/uuid';
import { dataConfig as t } from '@/messages/data-config';

/**
 * Uploads secure credentials. Returns what is wrong, or `null` if they were stored. They are not kept in the
 * browser.
 */
export async function uploadCredentials({ name, file }: CredentialValues): Promise<SubmitFailure | null> {
  try {
    await createCredential(name, file, uuidv7());
    return null;
  } catch (error) {
    const failure = submitFailure(error, t('failed'));
    if (failure.fields.length === 0) notify.error(t('failed'));
    return failure;
  }
}
