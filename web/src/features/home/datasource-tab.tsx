import { Button, Text, TextField } from '@radix-ui/themes';
import { ArrowRight, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { AddConnectorCard, ConnectorToggleCard } from '@/components/connector/connector-card';
import { ConnectorGrid } from '@/components/connector/connector-grid';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { startLabel } from '@/lib/connector-picker';
import { formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import { searchByName } from '@/lib/search';
import { dataSourcesState, useUpload } from '@/stores/datasources-store';
import styles from './home.module.css';

/** Chooses connectors, and starts a conversation with them. */
export function DataSourceTab() {
  const { sources } = useSnapshot(dataSourcesState);
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [query, setQuery] = useState('');
  const [uploading, setUploading] = useState(false);
  const found = useMemo(() => searchByName(sources, query), [sources, query]);

  function toggle(id: number): void {
    setChosen((now) => (now.includes(id) ? now.filter((other) => other !== id) : [...now, id]));
  }

  // Whoever uploads a file here wants to ask it.
  const upload = useUpload(toggle);

  return (
    <section aria-label="Choose connectors">
      <div className={styles.bar}>
        <TextField.Root
          className={styles.search ?? ''}
          placeholder="Search connectors"
          aria-label="Search connectors"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        >
          <TextField.Slot>
            <Search size={16} />
          </TextField.Slot>
        </TextField.Root>
        <Button
          size="2"
          className={styles.start ?? ''}
          onClick={() => void navigate(paths.newConversation({ dataSources: chosen }))}
        >
          {startLabel(chosen.length)}
          <ArrowRight size={16} />
        </Button>
      </div>
      <ConnectorGrid label="Connectors">
        <li>
          <AddConnectorCard onClick={() => setUploading(true)} />
        </li>
        {found.map((source) => (
          <li key={source.id}>
            <ConnectorToggleCard
              connector={source}
              note={formatDay(source.updatedAt)}
              selected={chosen.includes(source.id)}
              onToggle={toggle}
            />
          </li>
        ))}
      </ConnectorGrid>
      {found.length === 0 && query !== '' && (
        <Text as="p" size="2" color="gray" mt="4">
          No results found. Change search request and try again
        </Text>
      )}
      <UploadDialog open={uploading} onOpenChange={setUploading} {...upload} />
    </section>
  );
}
