import { useEffect, useState } from 'react';
import { useSnapshot } from 'valtio';
import { ConnectorPicker as PickerDialog } from '@/components/connector/connector-picker';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { dataSourceFilters } from '@/lib/datasource-filter';
import { useList } from '@/lib/use-collection';
import { usePickerQuery } from '@/lib/use-picker-query';
import { useSourceList } from '@/lib/use-source-list';
import type { DataSource } from '@/lib/wire';
import { dataSources, loadSourceTypes, sourceTypes } from '@/stores/datasources-store/sources';
import { uploadWiring } from '@/stores/datasources-store/upload';
import { projectLabels } from '@/stores/project-labels-store';

interface ConnectorPickerProps {
  /** The conversation, if it exists already: a file can be uploaded for it only. */
  conversation?: string;
  selected: readonly number[];
  /** Connectors that belong to the conversation cannot be deselected. */
  locked?: readonly number[];
  onConfirm: (ids: number[]) => void;
  onClose: () => void;
}

/** Chooses the connectors of a conversation. */
export function ConnectorPicker(props: ConnectorPickerProps) {
  const { conversation, selected, locked = [], onConfirm, onClose } = props;
  const [chosen, setChosen] = useState<readonly number[]>(selected);
  const [uploading, setUploading] = useState(false);
  const { types } = useSnapshot(sourceTypes);
  const { items: projects } = useList(projectLabels, undefined);
  const { query, change } = usePickerQuery(dataSourceFilters);
  const list = useSourceList(dataSources, query.segment, query.project, query.search);

  useEffect(() => void loadSourceTypes(), []);

  // A file that is uploaded here is meant to be used, so it is selected.
  const upload = uploadWiring(types, made, conversation);

  function made({ id, scope }: DataSource): void {
    // Connectors that belong to the conversation are chosen already: without another choice there is nothing to
    // confirm.
    if (scope === 'conversation' && chosen.join() === selected.join()) onClose();
    else setChosen((now) => [...now, id]);
  }

  return (
    <>
      <PickerDialog
        {...list}
        query={query}
        onQuery={change}
        projects={projects}
        selected={selected}
        chosen={chosen}
        locked={locked}
        onChosen={setChosen}
        onAdd={() => setUploading(true)}
        onConfirm={onConfirm}
        onClose={onClose}
      />
      <UploadDialog open={uploading} onOpenChange={setUploading} {...upload} />
    </>
  );
}
