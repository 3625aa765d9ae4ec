import * as z from 'zod/mini';
import { FormDialog } from '@/components/form/form-dialog';
import { TextArea } from '@/components/form/text-area';
import { TextField } from '@/components/form/text-field';
import { useSchemaForm } from '@/components/form/use-schema-form';
import type { TranscriptDisplayObject } from '@/components/transcript/message';
import { connectorDescriptionLimit, connectorNameLimit } from '@/lib/connector-form';
import { everySource } from '@/lib/datasource-filter';
import { requiredText } from '@/lib/rules';
import { shorten } from '@/lib/text';
import { blocks as t } from '@/messages/blocks';
import { dataSources } from '@/stores/datasources-store/sources';
import { makeConnector } from '@/stores/display-objects-store';

const schema = z.object({
  name: requiredText(t('connector.name.wrong'), connectorNameLimit),
  description: requiredText(t('connector.description.wrong'), connectorDescriptionLimit),
});

interface TableConnectorDialogProps {
  object: TranscriptDisplayObject;
  onClose: () => void;
}

/** Asks for the name of a connector that is made from a table of a conversation, and makes it. */
export function TableConnectorDialog({ object, onClose }: TableConnectorDialogProps) {
  const title = object.name.replace(/\.csv$/iu, '');
  const labels = object.columns?.map(({ label }) => label).join(', ') ?? '';
  const form = useSchemaForm(schema, {
    name: shorten(title.replace(/[^\p{L}\p{N}_() -]+/gu, ' ').trim(), connectorNameLimit),
    description: shorten(labels === '' ? title : `${title}: ${labels}`, connectorDescriptionLimit),
  });
  return (
    <FormDialog
      title={t('connector.title')}
      description={t('connector.text')}
      form={form}
      submitLabel={t('connector.create')}
      onSubmit={(values) => makeConnector(object.id, values)}
      onDone={() => void dataSources.refresh(everySource)}
      onClose={onClose}
    >
      <TextField
        control={form.control}
        name="name"
        label={t('connector.name')}
        limit={connectorNameLimit}
        required
      />
      <TextArea
        control={form.control}
        name="description"
        label={t('connector.description')}
        limit={connectorDescriptionLimit}
        required
      />
    </FormDialog>
  );
}
