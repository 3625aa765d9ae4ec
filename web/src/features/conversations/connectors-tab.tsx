import { useSnapshot } from 'valtio';
import { ConnectorLinkCard } from '@/components/connector/connector-card';
import { ConnectorGrid } from '@/components/connector/connector-grid';
import { byIds } from '@/lib/connector-picker';
import { formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import { dataSourcesState } from '@/stores/datasources-store';
import { conversationSourcesState } from '@/stores/conversation-sources-store';
import styles from './conversations.module.css';

interface ConnectorsTabProps {
  conversationId: string;
  ids: readonly number[];
}

/** One card per connector of the conversation. */
export function ConnectorsTab({ conversationId, ids }: ConnectorsTabProps) {
  const { sources } = useSnapshot(dataSourcesState);
  const shared = useSnapshot(conversationSourcesState).byConversation[conversationId] ?? [];
  const known = byIds([...sources, ...shared], ids);
  return (
    <div className={styles.scroll}>
      <ConnectorGrid label="Connectors of this conversation">
        {known.map((source) => (
          <li key={source.id}>
            <ConnectorLinkCard
              connector={source}
              to={paths.dataSource(source.id)}
              note={formatDay(source.updatedAt)}
            />
          </li>
        ))}
      </ConnectorGrid>
    </div>
  );
}
