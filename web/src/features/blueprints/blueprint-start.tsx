import { useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import type { BlueprintSummary } from '@/components/blueprint/blueprint';
import { StartDialog } from '@/components/blueprint/start-dialog';
import { paths } from '@/lib/paths';
import { beginWithBlueprint } from '@/stores/begin-with-blueprint';
import { dataSources } from '@/stores/datasources-store/sources';

interface BlueprintStartProps {
  /** `null` starts none. */
  blueprint: BlueprintSummary | null;
  onClose: () => void;
}

/** Starts a conversation with a blueprint, and opens it. */
export function BlueprintStart({ blueprint, onClose }: BlueprintStartProps) {
  const navigate = useNavigate();
  const { byId } = useSnapshot(dataSources.state);
  return (
    <StartDialog
      blueprint={blueprint}
      connectors={byId}
      onStart={beginWithBlueprint}
      onStarted={(conversation) => void navigate(paths.conversation(conversation))}
      onClose={onClose}
    />
  );
}
