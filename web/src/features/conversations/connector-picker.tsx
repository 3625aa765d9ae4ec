import { Button, Dialog, Flex, Text, TextField } from '@radix-ui/themes';
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useSnapshot } from 'valtio';
import { AddConnectorCard, ConnectorToggleCard } from '@/components/connector/connector-card';
import { ConnectorGrid } from '@/components/connector/connector-grid';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { pickerLabel } from '@/lib/connector-picker';
import { formatDay } from '@/lib/format';
import { searchByName } from '@/lib/search';
import { dataSourcesState, useUpload } from '@/stores/datasources-store';
import styles from './conversations.module.css';

interface ConnectorPickerProps {
  selected: readonly number[];
  onConfirm: (ids: number[]) => void;
  onClose: () => void;
}

/** Chooses which connectors a conversation asks. */
export function ConnectorPicker({ selected, onConfirm, onClose }: ConnectorPickerProps) {
  const { sources } = useSnapshot(dataSourcesState);
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(selected));
  const [query, setQuery] = useState('');
  const [uploading, setUploading] = useState(false);
  const found = useMemo(() => searchByName(sources, query), [sources, query]);
  const label = pickerLabel(selected, chosen);

  function toggle(id: number): void {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  }

  // Whoever uploads a file here wants to ask it.
  const upload = useUpload(toggle);

  return (
    <Dialog.Root open onOpenChange={onClose}>
      <Dialog.Content maxWidth="860px">
        <Dialog.Title>Add connector</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          The assistant answers from the connectors that you choose here.
        </Dialog.Description>
        <TextField.Root
          placeholder="Search connectors"
          aria-label="Search connectors"
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          mb="3"
        >
          <TextField.Slot>
            <Search size={16} />
          </TextField.Slot>
        </TextField.Root>
        <div className={styles.pickerBody}>
          <ConnectorGrid label="Connectors">
            <li>
              <AddConnectorCard onClick={() => setUploading(true)} />
            </li>
            {found.map((source) => (
              <li key={source.id}>
                <ConnectorToggleCard
                  connector={source}
                  note={formatDay(source.updatedAt)}
                  selected={chosen.has(source.id)}
                  onToggle={toggle}
                />
              </li>
            ))}
          </ConnectorGrid>
          {found.length === 0 && query !== '' && (
            <Text as="p" size="2" color="gray" mt="3">
              No results found. Change search request and try again
            </Text>
          )}
        </div>
        <Flex gap="3" mt="5" justify="end">
          <Button variant="soft" color="gray" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={label === null} onClick={() => onConfirm([...chosen])}>
            {label ?? 'Add connector'}
          </Button>
        </Flex>
        <UploadDialog open={uploading} onOpenChange={setUploading} {...upload} />
      </Dialog.Content>
    </Dialog.Root>
  );
}
