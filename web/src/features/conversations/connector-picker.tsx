import { Button, Dialog, Flex, TextField } from '@radix-ui/themes';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { ConnectorChoice } from '@/components/connector/connector-choice';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { pickerLabel } from '@/lib/connector-picker';
import { searchMax } from '@/lib/search';
import { useReturnFocus } from '@/lib/use-return-focus';
import { useShownSources, useUpload } from '@/stores/datasources-store';
import styles from './conversations.module.css';

interface ConnectorPickerProps {
  selected: readonly number[];
  onConfirm: (ids: number[]) => void;
  onClose: () => void;
}

/** Chooses which connectors a conversation asks. */
export function ConnectorPicker({ selected, onConfirm, onClose }: ConnectorPickerProps) {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set(selected));
  const [query, setQuery] = useState('');
  const [uploading, setUploading] = useState(false);
  const { shown, none, more } = useShownSources('all', null, query);
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
          <ConnectorChoice
            connectors={shown}
            isChosen={(id) => chosen.has(id)}
            onToggle={toggle}
            onAdd={() => setUploading(true)}
            more={more}
            nothingFound={none && query !== ''}
            gap="3"
          />
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
