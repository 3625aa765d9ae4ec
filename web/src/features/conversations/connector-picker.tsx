import { Button, Dialog, Flex, Text, TextField } from '@radix-ui/themes';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { AddConnectorCard, ConnectorToggleCard } from '@/components/connector/connector-card';
import { ConnectorGrid } from '@/components/connector/connector-grid';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { pickerLabel } from '@/lib/connector-picker';
import { formatDay } from '@/lib/format';
import { searchMax } from '@/lib/search';
import { useReturnFocus } from '@/lib/use-return-focus';
import { useSourceList, useUpload } from '@/stores/datasources-store';
import styles from './conversations.module.css';

interface ConnectorPickerProps {
  selected: readonly number[];
  onConfirm: (ids: number[]) => void;
  onClose: () => void;
}

/** So many are shown at first, and so many more at a time. */
const step = 60;

/** Chooses which connectors a conversation asks. */
export function ConnectorPicker({ selected, onConfirm, onClose }: ConnectorPickerProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(selected));
  const [query, setQuery] = useState('');
  const [uploading, setUploading] = useState(false);
  const [limit, setLimit] = useState(step);
  const { sources: found, count, onMore } = useSourceList('all', null, query);
  const shown = found.slice(0, limit);
  const returnFocus = useReturnFocus();
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
      <Dialog.Content maxWidth="860px" {...returnFocus}>
        <Dialog.Title>Add connector</Dialog.Title>
        <Dialog.Description size="2" color="gray" mb="4">
          The assistant answers from the connectors that you choose here.
        </Dialog.Description>
        <TextField.Root
          placeholder="Search connectors"
          aria-label="Search connectors"
          maxLength={searchMax}
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
            {shown.map((source) => (
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
          {count > shown.length && (
            <Button
              mt="3"
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
