import { Button, Text, TextField } from '@radix-ui/themes';
import { ArrowRight, Search } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { AddConnectorCard, ConnectorToggleCard } from '@/components/connector/connector-card';
import { ConnectorGrid } from '@/components/connector/connector-grid';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { startLabel } from '@/lib/connector-picker';
import { formatDay } from '@/lib/format';
import { paths } from '@/lib/paths';
import { searchMax } from '@/lib/search';
import { useSourceList, useUpload } from '@/stores/datasources-store';
import styles from './home.module.css';

/** So many are shown at first, and so many more at a time. */
const step = 60;

/** Chooses connectors, and starts a conversation with them. */
export function DataSourceTab() {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [query, setQuery] = useState('');
  const [uploading, setUploading] = useState(false);
  const [limit, setLimit] = useState(step);
  const { sources: found, count, onMore } = useSourceList('all', null, query);
  const shown = found.slice(0, limit);

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
          maxLength={searchMax}
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
        {shown.map((source) => (
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
      {count > shown.length && (
        <Button
          mt="4"
          variant="soft"
          color="gray"
          onClick={() => {
            setLimit(limit + step);
            onMore?.();
          }}
        >
          Show more
        </Button>
      )}
      {found.length === 0 && query !== '' && (
        <Text as="p" size="2" color="gray" mt="4">
          No results found. Change search request and try again
        </Text>
      )}
      <UploadDialog open={uploading} onOpenChange={setUploading} {...upload} />
    </section>
  );
}
