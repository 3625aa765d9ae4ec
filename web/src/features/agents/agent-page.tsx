import { Button, Skeleton } from '@radix-ui/themes';
import { Bot, RefreshCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useMatch, useParams } from 'react-router';
import { EmptyPage } from '@/components/page/empty-page';
import { Page } from '@/components/page/page';
import { patterns, paths } from '@/lib/paths';
import { useEntity } from '@/lib/use-collection';
import { agents as t } from '@/messages/agents';
import { common } from '@/messages/common';
import { agents } from '@/stores/agents-store';
import { AgentView } from './agent-view';

/** `/agents/{id}` and `/agents/{id}/edit`, each with the conversation in which the agent is tried. */
function AgentPage() {
  const { agentId = '', conversationId = null } = useParams();
  const id = Number(agentId);
  return Number.isSafeInteger(id) && id > 0 ? (
    // Another agent is a separate page: text typed for one must not appear for the other.
    <LoadedAgent key={id} id={id} conversationId={conversationId} />
  ) : (
    <AgentGone />
  );
}

interface LoadedAgentProps {
  id: number;
  conversationId: string | null;
}

function LoadedAgent({ id, conversationId }: LoadedAgentProps) {
  const editing = useMatch(`${patterns.agents}/:agentId/edit/*`) !== null;
  const { status, entity } = useEntity(agents, id);
  // The current state of the server is edited, not the one cached since the last visit.
  const [asked, setAsked] = useState(false);

  useEffect(() => {
    let here = true;
    void agents.fetch(id).then(() => here && setAsked(true));
    return () => {
      here = false;
    };
  }, [id]);

  if (status === 'gone') return <AgentGone />;
  if (entity === null && status === 'failed') {
    return (
      <EmptyPage
        icon={<RefreshCw size={22} />}
        title={t('page.failed')}
        action={
          <Button variant="soft" onClick={() => void agents.fetch(id)}>
            {common('retry')}
          </Button>
        }
      />
    );
  }
  if (entity === null || !asked) {
    return (
      <Page title={t('page.loading')}>
        <div role="status" aria-label={t('page.loading')}>
          <Skeleton height="36px" width="280px" mb="5" />
          <Skeleton height="440px" />
        </div>
      </Page>
    );
  }
  return <AgentView agent={entity} editing={editing} conversationId={conversationId} />;
}

function AgentGone() {
  return (
    <EmptyPage
      icon={<Bot size={22} />}
      title={t('page.gone')}
      action={
        <Button asChild variant="soft">
          <Link to={paths.agents}>{t('page.back')}</Link>
        </Button>
      }
    >
      {t('page.gone.text')}
    </EmptyPage>
  );
}

export { AgentPage as Component };
