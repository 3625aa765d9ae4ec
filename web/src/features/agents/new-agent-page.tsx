import { useNavigate } from 'react-router';
import { Page } from '@/components/page/page';
import { paths } from '@/lib/paths';
import { agents as t } from '@/messages/agents';
import { AgentEditor } from './agent-editor';

/** `/agents/new`: the steps of a new agent. */
function NewAgentPage() {
  const navigate = useNavigate();
  return (
    <Page title={t('page.new')}>
      <AgentEditor
        agent={null}
        readOnly={false}
        withSummaries
        onSaved={({ id }) => void navigate(paths.agentEdit(id), { replace: true })}
        onCancel={() => void navigate(paths.agents)}
      />
    </Page>
  );
}

export { NewAgentPage as Component };
