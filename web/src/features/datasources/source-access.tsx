import { AccessDialog } from '@/components/access/access-dialog';
import { useAccess } from '@/stores/access-store';

interface SourceAccessProps {
  sourceId: number;
  /** Others than the owner see the list and change nothing. */
  editable: boolean;
  onClose: () => void;
}

/** Who may use the connector, and, for its owner, the way to change that. */
export function SourceAccess({ sourceId, editable, onClose }: SourceAccessProps) {
  const access = useAccess('datasource', sourceId, editable);
  return (
    <AccessDialog
      {...access}
      text={
        editable
          ? 'People and teams that you add can ask this connector. Those who can edit may change what is said of it.'
          : 'Only the owner can change who uses this connector.'
      }
      editable={editable}
      canWrite
      onClose={onClose}
    />
  );
}
