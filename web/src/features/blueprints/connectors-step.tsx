import { Callout } from '@radix-ui/themes';
import { Info } from 'lucide-react';
import { SeveralField } from '@/components/form/combobox-field';
import { blueprintLimits } from '@/lib/blueprint-rules';
import { everySource } from '@/lib/datasource-filter';
import { useList } from '@/lib/use-collection';
import { blueprintEditor as t } from '@/messages/blueprint-editor';
import { dataSources as heldSources } from '@/stores/datasources-store/sources';
import type { BlueprintControl } from './editor-form';

interface ConnectorsStepProps {
  control: BlueprintControl;
  /** Connectors of the blueprint that this person may not use: they are not in the list. */
  missing: number;
}

/** The connectors that a conversation with the blueprint can use. */
export function ConnectorsStep({ control, missing }: ConnectorsStepProps) {
  const { items: sources } = useList(heldSources, everySource);
  return (
    <>
      <SeveralField
        control={control}
        name="dataSources"
        label={t('connectors.label')}
        description={t('connectors.help')}
        choices={sources.map(({ id, name, description }) => ({
          value: id,
          label: name,
          detail: description === '' ? undefined : description,
        }))}
        max={blueprintLimits.dataSources}
      />
      {missing > 0 && (
        <Callout.Root size="1" color="gray">
          <Callout.Icon>
            <Info size={15} />
          </Callout.Icon>
          <Callout.Text>{t('connectors.missing', { count: missing })}</Callout.Text>
        </Callout.Root>
      )}
    </>
  );
}
