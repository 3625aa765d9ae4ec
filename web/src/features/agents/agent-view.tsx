import { Badge, Button, Flex, Link as ThemesLink, Switch, Text } from '@radix-ui/themes';
import { FlaskConical, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { AgentPicture } from '@/components/agent/agent-picture';
import { EntityMenu } from '@/components/entity-menu/entity-menu';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import { Page } from '@/components/page/page';
import { Tooltip } from '@/components/tooltip/tooltip';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { Analyst } from '@/lib/wire';
import { agents as t } from '@/messages/agents';
import { markAgent } from '@/stores/agents-store';
import { startTrial } from '@/stores/trial-store';
import { agentActions } from './agent-actions';
import { AgentEditor } from './agent-editor';
import { AgentPowerDialog, type Power } from './agent-power';
import { AgentShared } from './agent-shared';
import styles from './agents.module.css';
import { TrialPane } from './trial-pane';

interface AgentViewProps {
  agent: DeepReadonly<Analyst>;
  editing: boolean;
  /** The conversation in which it is tried. */
  conversationId: string | null;
}

/** An agent with its steps, to read or to edit, next to the conversation in which it is tried. */
export function AgentView({ agent, editing, conversationId }: AgentViewProps) {
  const { id, name, picture, isFavorite, isEnabled, isDefault, abilities } = agent;
  const navigate = useNavigate();
  const [power, setPower] = useState<Power | null>(null);
  const [starting, setStarting] = useState(false);
  // Counts the changes of access: after each one it is loaded again.
  const [shares, setShares] = useState(0);
  const readOnly = !editing || !abilities.edit;
  const address = (trial?: string): string =>
    readOnly ? paths.agent(id, trial) : paths.agentEdit(id, trial);

  async function tryIt(): Promise<void> {
    setStarting(true);
    const trial = await startTrial(agent.connectors);
    setStarting(false);
    if (trial !== null) await navigate(address(trial));
  }

  const page = (
    <Page
      title={name}
      subtitle={
        <Flex asChild align="center" gap="2">
          <span>
            {picture !== '' && <AgentPicture picture={picture} size="small" />}
            <ThemesLink asChild>
              <Link to={paths.agents}>{t('page.back')}</Link>
            </ThemesLink>
            {isDefault && <Badge color="gray">{t('card.default')}</Badge>}
            {readOnly && <Badge color="gray">{t('page.view')}</Badge>}
            {/* While it is edited, the step for access shows the people; the agent that came with the
                organisation is available to all. */}
            {readOnly && agent.owner !== null && (
              <AgentShared key={agent.version} agent={agent} onSaved={() => setShares(shares + 1)} />
            )}
          </span>
        </Flex>
      }
      actions={
        <Flex align="center" gap="4" wrap="wrap">
          <Text as="label" size="2">
            <Flex as="span" align="center" gap="2">
              {t('page.enabled')}
              <Switch
                checked={isEnabled}
                disabled={!abilities.enable}
                onCheckedChange={() => setPower(agent)}
              />
            </Flex>
          </Text>
          <FavoriteStar name={name} isFavorite={isFavorite} onChange={(on) => void markAgent(id, on)} />
          <EntityMenu name={name} actions={agentActions(agent, setPower)} />
          {conversationId === null && (
            <Tooltip content={t(isEnabled ? 'trial.text' : 'trial.disabled')}>
              <Button variant="soft" loading={starting} disabled={!isEnabled} onClick={() => void tryIt()}>
                <FlaskConical size={16} aria-hidden="true" /> {t('try')}
              </Button>
            </Tooltip>
          )}
          {readOnly && abilities.edit && (
            <Button asChild>
              <Link to={paths.agentEdit(id, conversationId ?? undefined)}>
                <SquarePen size={16} aria-hidden="true" /> {t('page.edit')}
              </Link>
            </Button>
          )}
        </Flex>
      }
    >
      <AgentEditor
        // The read-only view follows changes of the agent; the editor keeps the person's values until they are
        // saved.
        key={readOnly ? `read ${agent.version} ${shares}` : 'edit'}
        agent={agent}
        readOnly={readOnly}
        withSummaries={conversationId === null}
        onSaved={() => undefined}
        onCancel={() => void navigate(paths.agent(id, conversationId ?? undefined))}
      />
      <AgentPowerDialog power={power} onClose={() => setPower(null)} />
    </Page>
  );

  return (
    <div className={styles.beside}>
      <div className={styles.agent}>{page}</div>
      {conversationId !== null && (
        <TrialPane
          conversationId={conversationId}
          agentId={id}
          agentName={name}
          onAgain={() => void tryIt()}
          onClose={() => void navigate(address())}
        />
      )}
    </div>
  );
}
