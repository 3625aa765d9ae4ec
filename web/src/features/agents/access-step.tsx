import { Text } from '@radix-ui/themes';
import { useState } from 'react';
import { AccessEditor } from '@/components/access/access-editor';
import type { FormControl } from '@/components/form/form-types';
import { useField } from '@/components/form/use-field';
import type { GrantChange } from '@/lib/access';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Analyst } from '@/lib/wire';
import { useAccess } from '@/lib/use-access';
import { agents as t } from '@/messages/agents';
import { openAccess } from '@/stores/access-store';
import type { AgentValues } from './agent-schema';

interface AccessStepProps {
  control: FormControl<AgentValues>;
  agent: DeepReadonly<Analyst> | null;
}

/** The step that says who may choose an agent. Changes here are saved with the agent. */
export function AccessStep({ control, agent }: AccessStepProps) {
  if (agent === null) return <Explanation>{t('access.new')}</Explanation>;
  if (agent.owner === null) return <Explanation>{t('access.everybody')}</Explanation>;
  return (
    <>
      <Explanation>{t(agent.abilities.manageAccess ? 'access.text' : 'access.owner')}</Explanation>
      <AgentAccess control={control} agentId={agent.id} mayManage={agent.abilities.manageAccess} />
    </>
  );
}

function Explanation({ children }: { children: string }) {
  return (
    <Text as="p" size="2" color="gray">
      {children}
    </Text>
  );
}

interface AgentAccessProps {
  control: FormControl<AgentValues>;
  agentId: number;
  mayManage: boolean;
}

function AgentAccess({ control, agentId, mayManage }: AgentAccessProps) {
  const { value: changes, onChange, readOnly } = useField<AgentValues, GrantChange[]>(control, 'access');
  const editable = mayManage && !readOnly;
  const { status, grants, candidates, words, onWords, onRetry } = useAccess(
    () => openAccess({ kind: 'analyst', id: agentId }),
    editable,
  );
  const [searching, setSearching] = useState(false);
  return (
    <AccessEditor
      {...{ status, grants, candidates, words, onWords, onRetry, editable, changes, searching }}
      // An agent is shared for viewing only: the server accepts nothing else.
      canWrite={false}
      onChanges={onChange}
      onSearching={setSearching}
    />
  );
}
