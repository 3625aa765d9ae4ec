import { Button, Callout, Flex, Heading, Skeleton, Text } from '@radix-ui/themes';
import { Archive, Pencil, Play } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { SharedWith } from '@/components/access/shared-with';
import { BlueprintSteps } from '@/components/blueprint/blueprint-steps';
import { FavoriteStar } from '@/components/favorite/favorite-star';
import { Page } from '@/components/page/page';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import type { Blueprint } from '@/lib/wire';
import { useList } from '@/lib/use-collection';
import { blueprintEditor } from '@/messages/blueprint-editor';
import { blueprints as t } from '@/messages/blueprints';
import { analysts as heldAnalysts } from '@/stores/analysts-store';
import { setBlueprintArchived, toggleBlueprintFavorite } from '@/stores/blueprints-store/change';
import { BlueprintAccess } from './blueprint-access';
import { BlueprintFacts } from './blueprint-facts';
import { BlueprintMenu } from './blueprint-menu';
import { BlueprintStart } from './blueprint-start';
import styles from './details.module.css';
import { useMemoryNames } from './use-memory-names';

/** A blueprint to read: what it is for, what it asks, what it does. */
export function BlueprintDetails({ blueprint }: { blueprint: DeepReadonly<Blueprint> }) {
  const { id, name, description, owner, isLibrary, isArchived, isFavorite, abilities, permissions } =
    blueprint;
  const [isStarting, setStarting] = useState(false);
  const [isManaging, setManaging] = useState(false);
  const day = formatDay(blueprint.updatedAt);
  const whose = owner === null || isLibrary ? t('library.one') : owner.fullName;

  return (
    <Page
      title={name}
      subtitle={
        <span className={styles.whose}>
          {t('one.facts', { whose, day })}
          <SharedWith grants={permissions} onOpen={() => setManaging(true)} />
        </span>
      }
      actions={
        <Flex gap="3" align="center">
          <FavoriteStar
            name={name}
            isFavorite={isFavorite}
            onChange={(on) => void toggleBlueprintFavorite(id, on)}
          />
          <BlueprintMenu blueprint={blueprint} />
          {abilities.edit && (
            <Button asChild variant="soft">
              <Link to={paths.blueprintEdit(id)}>
                <Pencil size={15} /> {t('edit')}
              </Link>
            </Button>
          )}
          <Button disabled={!abilities.start} onClick={() => setStarting(true)}>
            <Play size={15} /> {t('start')}
          </Button>
        </Flex>
      }
    >
      {isArchived && (
        <Callout.Root size="1" color="gray" mb="4">
          <Callout.Icon>
            <Archive size={15} />
          </Callout.Icon>
          <Callout.Text>
            {t('archived')}{' '}
            {abilities.archive && (
              <button
                type="button"
                className={styles.inline}
                onClick={() => void setBlueprintArchived(id, false)}
              >
                {t('unarchive')}
              </button>
            )}
          </Callout.Text>
        </Callout.Root>
      )}
      <div className={styles.columns}>
        <div className={styles.main}>
          {description !== '' && (
            <Text as="p" size="2" className={styles.description ?? ''}>
              {description}
            </Text>
          )}
          <Heading as="h2" size="4">
            {t('steps')}
          </Heading>
          <Steps blueprint={blueprint} />
        </div>
        <BlueprintFacts blueprint={blueprint} />
      </div>
      {isManaging && (
        <BlueprintAccess
          blueprintId={id}
          editable={abilities.manageAccess}
          onClose={() => setManaging(false)}
        />
      )}
      <BlueprintStart blueprint={isStarting ? blueprint : null} onClose={() => setStarting(false)} />
    </Page>
  );
}

function Steps({ blueprint: { steps, inputs } }: { blueprint: DeepReadonly<Blueprint> }) {
  const { items: analysts } = useList(heldAnalysts, undefined);
  const memories = useMemoryNames(steps.flatMap((step) => step.memories));
  // Lists contain steps without their texts; the texts are loaded with the blueprint itself.
  if (steps.some(({ code }) => code === undefined)) return <Skeleton height="320px" />;
  return (
    <BlueprintSteps
      label={t('steps')}
      inputs={inputs}
      steps={steps.map((step) => ({
        id: step.id,
        name: step.name,
        agent:
          step.analyst === null
            ? null
            : (analysts.find(({ id }) => id === step.analyst)?.name ??
              blueprintEditor('section.analyst.unknown')),
        detailedInstructions: step.detailedInstructions ?? '',
        qaInstructions: step.qaInstructions ?? '',
        code: step.code ?? '',
        language: step.language,
        memories: memories.filter(({ id }) => step.memories.includes(id)),
      }))}
    />
  );
}
