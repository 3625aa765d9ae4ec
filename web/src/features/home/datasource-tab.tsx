import { Button, TextField } from '@radix-ui/themes';
import { ArrowRight, Search } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ConnectorChoice } from '@/components/connector/connector-choice';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { startLabel } from '@/lib/connector-picker';
import { paths } from '@/lib/paths';
import { searchMax } from '@/lib/search';
import { useShownSources, useUpload } from '@/stores/datasources-store';
import styles from './home.module.css';

/** Chooses connectors, and starts a conversation with them. */
export function DataSourceTab() {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<readonly number[]>([]);
  const [query, setQuery] = useState('');
  const [uploading, setUploading] = useState(false);
  const { shown, none, more } = useShownSources('all', null, query);

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
      <ConnectorChoice
        connectors={shown}
        isChosen={(id) => chosen.includes(id)}
        onToggle={toggle}
        onAdd={() => setUploading(true)}
        more={more}
        nothingFound={none && query !== ''}
        gap="4"
      />
      <UploadDialog open={uploading} onOpenChange={setUploading} {...upload} />
    </section>
  );
}
