import { AccessDialog } from '@/components/access/access-dialog';
import { useAccess } from '@/lib/use-access';
import { connectors as t } from '@/messages/connectors';
import { openAccess } from '@/stores/access-store';
import { dataSources } from '@/stores/datasources-store/sources';

interface SourceAccessProps {
  sourceId: number;
  /** All but the owner see the list and cannot change it. */
  editable: boolean;
  onClose: () => void;
}

/** The people who may use the connector; its owner can change them here. */
export function SourceAccess({ sourceId, editable, onClose }: SourceAccessProps) {
  const access = useAccess(
    () =>
      openAccess({ kind: 'datasource', id: sourceId }, (permissions) =>
        dataSources.patch(sourceId, { permissions }),
      ),
    editable,
  );
  return (
    <AccessDialog
      {...access}
      text={editable ? t('access.editable') : t('access.readonly')}
      editable={editable}
      canWrite
      onClose={onClose}
    />
  );
}
