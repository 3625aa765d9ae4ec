import { useState } from 'react';
import { AccessDialog } from '@/components/access/access-dialog';
import { SharedWith } from '@/components/access/shared-with';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { useAccess } from '@/lib/use-access';
import type { Analyst, Grant } from '@/lib/wire';
import { agents as t } from '@/messages/agents';
import { openAccess } from '@/stores/access-store';

interface AgentSharedProps {
  agent: DeepReadonly<Analyst>;
  /** Called when the people who may use it have changed. */
  onSaved: () => void;
}

/** The people who may choose the agent in addition to its owner; a press opens the whole list. */
export function AgentShared({ agent, onSaved }: AgentSharedProps) {
  const { id, abilities } = agent;
  const [managing, setManaging] = useState(false);
  // The server sends an agent without the people who may choose it; they are fetched when it is shown.
  const [changed, setChanged] = useState<readonly Grant[] | null>(null);
  const { grants } = useAccess(() => openAccess({ kind: 'analyst', id }), false);
  return (
    <>
      <SharedWith grants={changed ?? grants} onOpen={() => setManaging(true)} />
      {managing && (
        <AgentAccessDialog
          agentId={id}
          editable={abilities.manageAccess}
          onKnown={setChanged}
          onSaved={onSaved}
          onClose={() => setManaging(false)}
        />
      )}
    </>
  );
}

interface AgentAccessDialogProps {
  agentId: number;
  /** All but the owner see the list and cannot change it. */
  editable: boolean;
  onKnown: (grants: Grant[]) => void;
  onSaved: () => void;
  onClose: () => void;
}

function AgentAccessDialog({ agentId, editable, onKnown, onSaved, onClose }: AgentAccessDialogProps) {
  const access = useAccess(() => openAccess({ kind: 'analyst', id: agentId }, onKnown), editable);
  return (
    <AccessDialog
      {...access}
      text={t(editable ? 'access.text' : 'access.owner')}
      editable={editable}
      // An agent is shared for viewing only: the server accepts nothing else.
      canWrite={false}
      onSave={async (changes) => {
        const done = await access.onSave(changes);
        if (done) onSaved();
        return done;
      }}
      onClose={onClose}
    />
  );
}
