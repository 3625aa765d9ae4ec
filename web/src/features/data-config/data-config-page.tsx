import { Callout, Flex, IconButton } from '@radix-ui/themes';
import { CircleCheck, LockKeyhole, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { FileField } from '@/components/form/file-field';
import { Form } from '@/components/form/form';
import { FormError } from '@/components/form/form-error';
import { SubmitButton } from '@/components/form/submit-button';
import { TextField } from '@/components/form/text-field';
import { useSchemaForm } from '@/components/form/use-schema-form';
import { Page } from '@/components/page/page';
import { credentialNameMax, credentialSchema } from '@/lib/credential-rules';
import { common } from '@/messages/common';
import { dataConfig as t } from '@/messages/data-config';
import { uploadCredentials } from '@/stores/credentials-store';
import styles from './data-config.module.css';

const empty = { name: '', file: null };

/** `/data-config`: uploads secret files. For people with the flag uploadCredentials. */
function DataConfigPage() {
  const form = useSchemaForm(credentialSchema, empty);
  const [uploaded, setUploaded] = useState<string | null>(null);
  const thanks = useRef<HTMLDivElement>(null);

  return (
    <Page title={t('title')} subtitle={t('subtitle')}>
      <div className={styles.column}>
        {/* The element is always there, so that what appears in it is read out. */}
        <div ref={thanks} role="status" tabIndex={-1} className={styles.thanks}>
          {uploaded !== null && (
            <Callout.Root>
              <Callout.Icon>
                <CircleCheck size={16} aria-hidden="true" />
              </Callout.Icon>
              <Callout.Text>{t('thanks', { name: uploaded })}</Callout.Text>
              <IconButton
                size="1"
                variant="ghost"
                color="gray"
                aria-label={common('dismiss')}
                className={styles.dismiss ?? ''}
                onClick={() => setUploaded(null)}
              >
                <X size={15} aria-hidden="true" />
              </IconButton>
            </Callout.Root>
          )}
        </div>
        <Form
          form={form}
          guard
          onSubmit={async (values) => {
            const failure = await uploadCredentials(values);
            if (!failure) setUploaded(values.name);
            return failure;
          }}
          onDone={() => {
            form.reset(empty);
            thanks.current?.focus();
          }}
        >
          <TextField
            control={form.control}
            name="name"
            label={t('name')}
            limit={credentialNameMax}
            required
          />
          <FileField control={form.control} name="file" label={t('file')} hint={t('file.hint')} required />
          <p className={styles.safe}>
            <LockKeyhole size={15} aria-hidden="true" />
            {t('safe')}
          </p>
          <FormError />
          <Flex justify="end">
            <SubmitButton busyLabel={t('busy')}>{t('submit')}</SubmitButton>
          </Flex>
        </Form>
      </div>
    </Page>
  );
}

export { DataConfigPage as Component };
