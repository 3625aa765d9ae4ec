import { Flex } from '@radix-ui/themes';
import { AgentPicture } from '@/components/agent/agent-picture';
import { MemoryCard } from '@/components/memory/memory-card';
import { memoryOf } from '@/testing/fixtures/memories';
import styles from './showcase.module.css';

const long = 'Net sales are the sales of a period less discounts, returns and allowances. '.repeat(6);

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
        <MemoryCard
          memory={memoryOf({ alwaysRecalled: true })}
          labels={['Finance', 'Sales']}
          type="Definition"
          onOpen={() => undefined}
        />
        <MemoryCard memory={memoryOf({ index: long, value: long })} labels={[]} type="Query" />
        <MemoryCard memory={memoryOf({ isEnabled: false })} labels={['Finance']} type="Definition" />
      </div>
    </Flex>
  );
}
