import { useState } from 'react';
import { useSnapshot } from 'valtio';
import { ConnectorPicker as PickerDialog } from '@/components/connector/connector-picker';
import { UploadDialog } from '@/components/connector/upload-dialog';
import { dataSourceFilters } from '@/lib/datasource-filter';
import { useList } from '@/lib/use-collection';
import { usePickerQuery } from '@/lib/use-picker-query';
import { useSourceList } from '@/lib/use-source-list';
import { dataSources, sourceTypes } from '@/stores/datasources-store/sources';
import { uploadWiring } from '@/stores/datasources-store/upload';
import { projectLabels } from '@/stores/project-labels-store';

interface ConnectorPickerProps {
  selected: readonly number[];
  /** Stay chosen: those that belong to the conversation. */
  locked?: readonly number[];
  onConfirm: (ids: number[]) => void;
  onClose: () => void;
}

/** Chooses which connectors a conversation asks. */
export function ConnectorPicker({ selected, locked = [], onConfirm, onClose }: ConnectorPickerProps) {
  const [chosen, setChosen] = useState<readonly number[]>(selected);
  const [uploading, setUploading] = useState(false);
  const { types } = useSnapshot(sourceTypes);
  const { items: projects } = useList(projectLabels, undefined);
  const { query, change } = usePickerQuery(dataSourceFilters);
  const list = useSourceList(dataSources, query.segment, query.project, query.search);

  // What is uploaded here is meant to be asked.
  const upload = uploadWiring(types, (id) => setChosen((now) => [...now, id]));

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
