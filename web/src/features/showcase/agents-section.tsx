import { Flex } from '@radix-ui/themes';
import { AgentPicture } from '@/components/agent/agent-picture';
import { EntityCard } from '@/components/entity-list/entity-card';
import { memoryCard, memoryCardHeight } from '@/components/memory/memory-content';
import { memoryOf } from '@/testing/fixtures/memories';
import styles from './showcase.module.css';

const long = 'Net sales are the sales of a period less discounts, returns and allowances. '.repeat(6);

const memories = [
  { ...memoryOf({ alwaysRecalled: true }), labelNames: ['Finance', 'Sales'], typeName: 'Definition' },
  { ...memoryOf({ index: long, value: long }), labelNames: [], typeName: 'Query' },
  { ...memoryOf({ isEnabled: false }), labelNames: ['Finance'], typeName: 'Definition' },
];

/** The components for agents and memories: the pictures in their sizes, and a short, a long and a disabled card. */
export function AgentsSection() {
  return (
    <Flex direction="column" gap="4">
      <Flex align="center" gap="3">
        <AgentPicture picture="" size="small" />
        <AgentPicture picture="" />
        <AgentPicture picture="" size="large" />
        <AgentPicture picture="/favicon.svg" size="large" />
      </Flex>
      <div className={styles.grid}>
        {memories.map((memory, place) => (
          <div key={place} style={{ height: memoryCardHeight }}>
            <EntityCard
              name={memory.name}
              content={memoryCard(memory)}
              opening={place === 0 ? { onOpen: () => undefined } : null}
              choice={null}
            />
          </div>
        ))}
      </div>
    </Flex>
  );
}
