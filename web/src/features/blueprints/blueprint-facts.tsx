import { Badge, Flex, Heading, Text } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import { MessagePreview } from '@/components/blueprint/message-preview';
import { ConnectorTag } from '@/components/connector/connector-tag';
import { ProjectTags } from '@/components/project/project-tag';
import { blueprintValues } from '@/lib/blueprint-form';
import { byIds } from '@/lib/connector-picker';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Blueprint } from '@/lib/wire';
import { everySource } from '@/lib/datasource-filter';
import { useList } from '@/lib/use-collection';
import { blueprintEditor } from '@/messages/blueprint-editor';
import { blueprints as t } from '@/messages/blueprints';
import { dataSources as heldSources } from '@/stores/datasources-store/sources';
import styles from './details.module.css';
import { useWrittenMessage } from './use-written-message';

/** The facts next to the steps: the inputs, the connectors, the projects and the initial message. */
export function BlueprintFacts({ blueprint }: { blueprint: DeepReadonly<Blueprint> }) {
  const { inputs, dataSources, missingDataSources, projectLabels, useCaseCategories, initialMessage } =
    blueprint;
  const { items: sources } = useList(heldSources, everySource);
  const connectors = byIds(sources, dataSources);
  const isGiven = initialMessage.trim() !== '';
  const written = useWrittenMessage(blueprintValues(blueprint), !isGiven);

  return (
    <aside className={styles.facts} aria-label={t('facts')}>
      <Fact title={t('inputs')}>
        {inputs.length === 0 ? (
          <Text as="p" size="2" color="gray">
            {t('inputs.none')}
          </Text>
        ) : (
          <ul className={styles.inputs}>
            {inputs.map(({ name, hint }) => (
              <li key={name}>
                <span>{name}</span>
                {hint !== '' && <span className={styles.hint}>{hint}</span>}
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact title={t('connectors')}>
        <Flex gap="2" wrap="wrap">
          {connectors.map(({ id, name }) => (
            <ConnectorTag key={id} name={name} />
          ))}
          {connectors.length === 0 && missingDataSources === 0 && (
            <Text size="2" color="gray">
              {t('none')}
            </Text>
          )}
        </Flex>
        {missingDataSources > 0 && (
          <Text as="p" size="1" color="gray" mt="1">
            {t('start.without', { count: missingDataSources })}
          </Text>
        )}
      </Fact>
      {projectLabels.length > 0 && (
        <Fact title={t('projects')}>
          <ProjectTags projects={projectLabels} />
        </Fact>
      )}
      {useCaseCategories.length > 0 && (
        <Fact title={t('categories')}>
          <Flex gap="2" wrap="wrap">
            {useCaseCategories.map(({ id, name }) => (
              <Badge key={id} color="gray">
                {name}
              </Badge>
            ))}
          </Flex>
        </Fact>
      )}
      <Fact title={t('message')}>
        <MessagePreview
          message={isGiven ? initialMessage : written}
          inputs={inputs}
          fixed
          note={isGiven ? undefined : blueprintEditor('preview.written')}
        />
      </Fact>
    </aside>
  );
}

function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section>
      <Heading as="h2" size="2" mb="2">
        {title}
      </Heading>
      {children}
    </section>
  );
}
