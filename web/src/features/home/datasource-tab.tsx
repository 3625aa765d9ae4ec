import { Button } from '@radix-ui/themes';
import { ArrowRight } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import { ConnectorList } from '@/components/connector/connector-list';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { Keys } from '@/components/keys/keys';
import { paths } from '@/lib/paths';
import { dataSourceFilters } from '@/lib/datasource-filter';
import { toggled } from '@/lib/selection';
import { usePickerQuery } from '@/lib/use-picker-query';
import { useSourceList } from '@/lib/use-source-list';
import { useHotkey } from '@/lib/use-hotkey';
import { home as t } from '@/messages/home';
import { keys } from '@/messages/keys';
import { dataSources, loadSourceTypes, sourceTypes } from '@/stores/datasources-store/sources';
import { uploadWiring } from '@/stores/datasources-store/upload';
import styles from './home.module.css';

interface DataSourceTabProps {
  chosen: readonly number[];
  onChange: (change: (now: readonly number[]) => readonly number[]) => void;
  /** The search must get the focus; `onSearching` is called when it has it. */
  searching: boolean;
  onSearching: () => void;
}

/** Chooses connectors, for the message box above or for a conversation that starts with them. */
export function DataSourceTab({ chosen, onChange, searching, onSearching }: DataSourceTabProps) {
  const navigate = useNavigate();
  const { query, change } = usePickerQuery(dataSourceFilters);
  const [uploading, setUploading] = useState(false);
  const { types } = useSnapshot(sourceTypes);
  const list = useSourceList(dataSources, query.segment, query.project, query.search);
  // A user who uploads a file here wants to use it.
  const upload = uploadWiring(types, ({ id }) => onChange((now) => (now.includes(id) ? now : [...now, id])));
  const section = useRef<HTMLElement>(null);
  const toggle = (id: number): void => onChange((now) => toggled({ selected: now }, id));
  const found = useEffectEvent(onSearching);
  const start = (): void => void navigate(paths.newConversation({ dataSources: chosen }));

  // It works from any card, so that keyboard users need not tab through the others to the button.
  useHotkey({ keys: 'mod+Enter', label: keys('start'), group: 'list', run: start });

  useEffect(() => void loadSourceTypes(), []);

  useEffect(() => {
    if (!searching) return;
    section.current?.querySelector<HTMLElement>('[data-search]')?.focus();
    found();
  }, [searching]);

  return (
    <section ref={section} aria-label={t('datasource.label')}>
      <ConnectorList
        {...list}
        query={query}
        onQuery={change}
        selection={{ selected: chosen, onToggle: (id) => toggle(Number(id)) }}
        onPick={({ id }) => toggle(id)}
        onAdd={() => setUploading(true)}
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
