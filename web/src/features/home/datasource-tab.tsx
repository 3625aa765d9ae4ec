import { Button, TextField } from '@radix-ui/themes';
import { ArrowRight, Search } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ConnectorChoice } from '@/components/connector/connector-choice';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { Keys } from '@/components/keys/keys';
import { paths } from '@/lib/paths';
import { searchMax } from '@/lib/search';
import { useHotkey } from '@/lib/use-hotkey';
import { home as t } from '@/messages/home';
import { useShownSources, useUpload } from '@/stores/datasources-store';
import styles from './home.module.css';

interface DataSourceTabProps {
  chosen: readonly number[];
  onChange: (change: (now: readonly number[]) => readonly number[]) => void;
  /** The search is wanted; `onSearching` is called once it has the focus. */
  searching: boolean;
  onSearching: () => void;
}

/** Chooses connectors, for the message box above or for a conversation that starts with them. */
export function DataSourceTab({ chosen, onChange, searching, onSearching }: DataSourceTabProps) {
  const navigate = useNavigate();
  const [query, setQuery] = useState('');
  const [uploading, setUploading] = useState(false);
  const { shown, none, more } = useShownSources('all', null, query);
  // A user who uploads a file here wants to ask it.
  const upload = useUpload((id) => onChange((now) => (now.includes(id) ? now : [...now, id])));
  const field = useRef<HTMLInputElement>(null);
  const found = useEffectEvent(onSearching);
  const start = (): void => void navigate(paths.newConversation({ dataSources: chosen }));

  // From any card, so that nobody has to walk past the others to the button.
  useHotkey({ keys: 'mod+Enter', label: t('start.key'), group: 'list', run: start });

  useEffect(() => {
    if (!searching) return;
    field.current?.focus();
    found();
  }, [searching]);

  return (
    <section aria-label={t('datasource.label')}>
      <div className={styles.bar}>
        <TextField.Root
          ref={field}
          className={styles.search ?? ''}
          placeholder={t('datasource.search')}
          aria-label={t('datasource.search')}
          data-search=""
          maxLength={searchMax}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
        >
          <TextField.Slot>
            <Search size={16} />
          </TextField.Slot>
        </TextField.Root>
      </div>
      <ConnectorChoice
        connectors={shown}
        isChosen={(id) => chosen.includes(id)}
        onToggle={(id) =>
          onChange((now) => (now.includes(id) ? now.filter((other) => other !== id) : [...now, id]))
        }
        onAdd={() => setUploading(true)}
        more={more}
        nothingFound={none && query !== ''}
        gap="4"
      />
      <div className={styles.startBar}>
        <Button size="2" onClick={start}>
          {t('start', { count: chosen.length })}
          <ArrowRight size={16} />
        </Button>
        <span className={styles.startKey}>
          <Keys keys="mod+Enter" />
        </span>
      </div>
      <UploadDialog open={uploading} onOpenChange={setUploading} {...upload} />
    </section>
  );
}
