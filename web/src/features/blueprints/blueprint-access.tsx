import { AccessDialog } from '@/components/access/access-dialog';
import { useAccess } from '@/lib/use-access';
import { blueprints as t } from '@/messages/blueprints';
import { openAccess } from '@/stores/access-store';
import { blueprints as heldBlueprints } from '@/stores/blueprints-store/blueprints';

interface BlueprintAccessProps {
  blueprintId: number;
  /** All but the owner see the list and cannot change it. */
  editable: boolean;
  onClose: () => void;
}

/** The people who may see and start the blueprint; its owner can change them here. */
export function BlueprintAccess({ blueprintId, editable, onClose }: BlueprintAccessProps) {
  const access = useAccess(
    () =>
      openAccess({ kind: 'blueprint', id: blueprintId }, (permissions) =>
        heldBlueprints.patch(blueprintId, { permissions }),
      ),
    editable,
  );
  return (
    <AccessDialog
      {...access}
      text={t(editable ? 'access.owner' : 'access.others')}
      editable={editable}
      canWrite={false}
      onClose={onClose}
    />
  );
}
