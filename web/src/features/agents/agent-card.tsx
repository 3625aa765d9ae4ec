import { Flex, Switch } from '@radix-ui/themes';
import { AgentPicture } from '@/components/agent/agent-picture';
import type { EntityCardContent, EntityColumn } from '@/components/entity-list/entity';
import { ProjectTags } from '@/components/project/project-tag';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { locale } from '@/lib/locale';
import type { Analyst } from '@/lib/wire';
import { agents as t } from '@/messages/agents';
import type { Power } from './agent-power';
import styles from './agents.module.css';
import { modelName } from './model-name';

type Agent = DeepReadonly<Analyst>;

/** A title of two lines, a description, projects and the facts, in pixels. */
export const agentCardHeight = 176;

const collator = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });

/** The model that answers; for an agent with the settings of the default agent, the default agent determines it. */
const modelOf = ({ general, model }: Agent): string => (general?.enabled === false ? '' : modelName(model));

/** An agent as a card. */
export function agentCard(agent: Agent): EntityCardContent {
  const { picture, description, projectLabels, isEnabled, isDefault, owner } = agent;
  return {
    icon: <AgentPicture picture={picture} />,
    description,
    // Without projects the row keeps its height, so that all cards are aligned.
    body: (
      <div className={styles.projects}>
        <ProjectTags projects={projectLabels} />
      </div>
    ),
    facts: [isDefault && t('card.default'), !isEnabled && t('card.off'), modelOf(agent)],
    owner,
    muted: !isEnabled,
  };
}

/** The columns of the table. The switch asks for confirmation. */
export function agentColumns(onPower: (power: Power) => void): readonly EntityColumn<Agent>[] {
  return [
    {
      id: 'name',
      label: t('column.name'),
      cell: ({ name, picture }) => (
        <span className={styles.named}>
          <AgentPicture picture={picture} size="small" />
          <span>{name}</span>
        </span>
      ),
      sort: (a, b) => collator.compare(a.name, b.name),
    },
    { id: 'description', label: t('column.description'), cell: ({ description }) => description },
    {
      id: 'model',
      label: t('column.model'),
      cell: modelOf,
      width: '140px',
      sort: (a, b) => collator.compare(modelOf(a), modelOf(b)),
    },
    { id: 'owner', label: t('column.owner'), cell: ({ owner }) => owner?.fullName, width: '140px' },
    {
      id: 'project',
      label: t('column.project'),
      cell: ({ projectLabels }) => <ProjectTags projects={projectLabels} />,
      width: '140px',
    },
    {
      id: 'state',
      label: t('column.state'),
      cell: (agent) => (
        <Flex align="center">
          <Switch
            size="1"
            aria-label={t('enabled.of', { name: agent.name })}
            checked={agent.isEnabled}
            disabled={!agent.abilities.enable}
            onCheckedChange={() => onPower(agent)}
          />
        </Flex>
      ),
      width: '90px',
    },
  ];
}
