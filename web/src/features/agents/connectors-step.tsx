import { SeveralField } from '@/components/form/combobox-field';
import type { FormControl } from '@/components/form/form-types';
import { agentListMax } from '@/lib/agent';
import { everySource } from '@/lib/datasource-filter';
import { useList } from '@/lib/use-collection';
import { agents as t } from '@/messages/agents';
import { dataSources as heldSources } from '@/stores/datasources-store/sources';
import type { AgentValues } from './agent-schema';

/** The step with the connectors that an agent uses if a person chooses none. */
export function ConnectorsStep({ control }: { control: FormControl<AgentValues> }) {
  const { items: sources } = useList(heldSources, everySource);
  return (
    <SeveralField
      control={control}
      name="connectors"
      label={t('step.connectors')}
      description={t('form.connectors.hint')}
      choices={sources.map(({ id, name, description }) => ({ value: id, label: name, detail: description }))}
      max={agentListMax}
    />
  );
}
