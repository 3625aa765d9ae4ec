import { Bot } from 'lucide-react';
import { useState } from 'react';
import type { EntityWords } from '@/components/entity-list/entity';
import { EntityList } from '@/components/entity-list/entity-list';
import { EntityMenu } from '@/components/entity-menu/entity-menu';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import { Page } from '@/components/page/page';
import { agentScopes } from '@/lib/agent';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import { searchByName } from '@/lib/search';
import { useDebounced } from '@/lib/use-debounced';
import { useList } from '@/lib/use-collection';
import { useListQuery } from '@/lib/use-list-query';
import type { Analyst } from '@/lib/wire';
import { agents as t } from '@/messages/agents';
import { entityList } from '@/messages/entity-list';
import { agents, markAgent } from '@/stores/agents-store';
import { projectLabels as heldProjects } from '@/stores/project-labels-store';
import { agentActions } from './agent-actions';
import { agentCard, agentCardHeight, agentColumns } from './agent-card';
import { AgentPowerDialog, type Power } from './agent-power';

const words: EntityWords = {
  list: t('list'),
  search: t('list.search'),
  count: (count) => t('list.count', { count }),
  none: t('list.none'),
  loading: t('list.loading'),
  failed: t('list.failed'),
};

const segments = agentScopes.map((value) => ({
  value,
  label: value === 'owned' ? t('segment.owned') : entityList(`segment.${value}`),
}));

/** `/agents`: the agents of the organisation, for superusers to manage. */
function AgentsPage() {
  const { query, change } = useListQuery({ segments: agentScopes });
  const search = useDebounced(query.search.trim());
  const asked = { scope: query.segment, project: query.project, search };
  const { items, status, count, more } = useList(agents, asked);
  const { items: labels } = useList(heldProjects, undefined);
  const [power, setPower] = useState<Power | null>(null);

  const actions = (agent: DeepReadonly<Analyst>) => (
    <>
      <FavoriteStar
        name={agent.name}
        isFavorite={agent.isFavorite}
        onChange={(isFavorite) => void markAgent(agent.id, isFavorite)}
      />
      <EntityMenu inList name={agent.name} actions={agentActions(agent, setPower)} />
    </>
  );

  return (
    <Page wide title={t('title')} subtitle={t('subtitle')}>
      <EntityList
        words={words}
        items={searchByName(items, search)}
        status={status}
        count={count}
        query={query}
        onQuery={change}
        segments={segments}
        projects={labels}
        card={agentCard}
        cardHeight={agentCardHeight}
        columns={agentColumns(setPower)}
        open={({ id }) => ({ to: paths.agent(id) })}
        actions={actions}
        suggestionNote={({ updatedAt }) => formatDay(updatedAt)}
        add={{ label: t('new'), to: paths.newAgent }}
        empty={{ icon: <Bot size={22} />, text: t(`empty.${query.segment}`) }}
        onRetry={() => void agents.load(asked)}
        more={more ? { loading: status === 'updating', onMore: () => void agents.more(asked) } : null}
      />
      <AgentPowerDialog power={power} onClose={() => setPower(null)} />
    </Page>
  );
}

export { AgentsPage as Component };
