import { useSnapshot } from 'valtio';
import { SeveralField } from '@/components/form/combobox-field';
import type { FormControl } from '@/components/form/form-types';
import { agentListMax } from '@/lib/agent';
import { agents as t } from '@/messages/agents';
import { dataSourcesState } from '@/stores/datasources-store';
import type { AgentValues } from './agent-schema';

/** The step with the connectors that an agent asks where a person chooses none. */
export function ConnectorsStep({ control }: { control: FormControl<AgentValues> }) {
  const { sources } = useSnapshot(dataSourcesState);
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
