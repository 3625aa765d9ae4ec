import { useState } from 'react';
import * as z from 'zod/mini';
import { FormDialog } from '@/components/form/form-dialog';
import { TextField } from '@/components/form/text-field';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { requiredText } from '@/lib/rules';
import type { SubmitFailure } from '@/lib/submit-failure';
import { entityMenu as t } from '@/messages/entity-menu';
import type { NameAsked } from './actions';

interface NameDialogProps extends Omit<NameAsked, 'disabledReason'> {
  initial: string;
  confirmLabel: string;
  /** The initial name can be kept, as for a copy. */
  unchangedAllowed?: boolean;
  onClose: () => void;
}

/** Asks for a name: of a copy, or a new one. */
export function NameDialog(props: NameDialogProps) {
  const { title, initial, max, confirmLabel, unchangedAllowed = false, onConfirm, onClose } = props;
  const [schema] = useState(() =>
    z.object({ name: requiredText(t('name.required'), max, t('name.long', { max })) }),
  );
  const form = useSchemaForm(schema, { name: initial });

  async function submit(name: string): Promise<SubmitFailure | null> {
    if (name === initial && !unchangedAllowed) return null;
    const outcome = await onConfirm(name);
    if (outcome === true) return null;
    // A failure without a reason here has been reported elsewhere.
    if (outcome === false) return { message: '', fields: [] };
    return { message: outcome, fields: [{ field: 'name', message: outcome }] };
  }

  return (
    <FormDialog
      title={title}
      form={form}
      submitLabel={confirmLabel}
      maxWidth="440px"
      onSubmit={({ name }) => submit(name)}
      onClose={onClose}
    >
      <TextField control={form.control} name="name" label={t('name')} required selected />
    </FormDialog>
  );
}
