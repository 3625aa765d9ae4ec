import { Button, Flex, Skeleton, Text, VisuallyHidden } from '@radix-ui/themes';
import { useState } from 'react';
import { AccessList } from '@/components/access/access-list';
import { GranteeSearch } from '@/components/access/grantee-search';
import { ShareMode } from '@/components/access/share-mode';
import type { FormControl } from '@/components/form/form-types';
import { useField } from '@/components/form/use-field';
import { changedGrants, granteeKey, withChange, type GrantChange } from '@/lib/access';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Analyst } from '@/lib/wire';
import { useAccess } from '@/lib/use-access';
import { agents as t } from '@/messages/agents';
import { common } from '@/messages/common';
import { openAccess } from '@/stores/access-store';
import type { AgentValues } from './agent-schema';

interface AccessStepProps {
  control: FormControl<AgentValues>;
  agent: DeepReadonly<Analyst> | null;
}

/** The step that says who may choose an agent. What is changed here is saved with the agent. */
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
  const rows = changedGrants(grants, changes);
  const taken = new Set(rows.map((row) => granteeKey(row.actor)));
  const found = candidates.found.filter(
    (actor) => !taken.has(granteeKey(actor)) && actor.type !== 'organization',
  );

  const change = (next: GrantChange): void => onChange(withChange(grants, changes, next));

  if (status === 'failed') {
    return (
      <Flex align="center" gap="3" role="alert">
        <Text size="2" color="red">
          {t('access.failed')}
        </Text>
        <Button type="button" size="1" variant="soft" onClick={onRetry}>
          {common('retry')}
        </Button>
      </Flex>
    );
  }
  if (status !== 'fetched') return <Skeleton height="120px" aria-label={t('access.loading')} />;
  return (
    <>
      {editable && <ShareMode />}
      {editable && (
        <GranteeSearch
          {...candidates}
          found={found}
          words={words}
          onWords={onWords}
          open={searching}
          onOpen={setSearching}
          onPick={(actor) => change({ actor, permission: 'read' })}
        />
      )}
      {/* An agent is shared for viewing only: the server takes nothing else. */}
      <AccessList rows={rows} words={words} editable={editable} canWrite={false} onChange={change} />
      <VisuallyHidden role="status">
        {changes.length === 0 ? '' : t('access.unsaved', { count: changes.length })}
      </VisuallyHidden>
    </>
  );
}
