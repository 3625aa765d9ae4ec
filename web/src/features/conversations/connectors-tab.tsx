import { useSnapshot } from 'valtio';
import { connectorCard, connectorWords } from '@/components/connector/connector-content';
import { EntityCard } from '@/components/entity-list/entity-card';
import { EntityGrid } from '@/components/entity-list/entity-grid';
import { byIds } from '@/lib/connector-picker';
import { paths } from '@/lib/paths';
import { dataSources } from '@/stores/datasources-store/sources';
import { conversationSourcesState } from '@/stores/conversation-sources-store';
import styles from './conversations.module.css';

interface ConnectorsTabProps {
  conversationId: string;
  ids: readonly number[];
}

/** One card per connector of the conversation. */
export function ConnectorsTab({ conversationId, ids }: ConnectorsTabProps) {
  const { byId } = useSnapshot(dataSources.state);
  const shared = useSnapshot(conversationSourcesState).byConversation[conversationId] ?? [];
  const known = byIds([...Object.values(byId), ...shared], ids);
  return (
    <div className={styles.scroll}>
      <EntityGrid
        label={connectorWords().list}
        cardHeight={170}
        cells={known.map((source) => ({
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
