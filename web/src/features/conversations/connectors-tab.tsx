import { connectorCard, connectorWords } from '@/components/connector/connector-content';
import { EntityCard } from '@/components/entity-list/entity-card';
import { EntityGrid } from '@/components/entity-list/entity-grid';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { DataSource } from '@/lib/wire';
import styles from './conversations.module.css';

interface ConnectorsTabProps {
  sources: readonly DeepReadonly<DataSource>[];
}

/** One card per connector of the conversation. */
export function ConnectorsTab({ sources }: ConnectorsTabProps) {
  return (
    <div className={styles.scroll}>
      <EntityGrid
        label={connectorWords().list}
        cardHeight={170}
        cells={sources.map((source) => ({
          key: String(source.id),
          render: () => (
            <EntityCard
              name={source.name}
              content={connectorCard(source)}
              opening={{ to: paths.dataSource(source.id) }}
              choice={null}
            />
          ),
        }))}
      />
    </div>
  );
}
