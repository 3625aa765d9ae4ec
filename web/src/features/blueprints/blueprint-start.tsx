import { useNavigate } from 'react-router';
import { useSnapshot } from 'valtio';
import type { BlueprintSummary } from '@/components/blueprint/blueprint-card';
import { StartDialog } from '@/components/blueprint/start-dialog';
import { paths } from '@/lib/paths';
import { startBlueprint } from '@/stores/blueprints-store/start';
import { putConversation } from '@/stores/conversations-store';
import { dataSourcesState } from '@/stores/datasources-store';

interface BlueprintStartProps {
  blueprint: BlueprintSummary;
  onClose: () => void;
}

/** Starts a conversation with a blueprint, and goes there. */
export function BlueprintStart({ blueprint, onClose }: BlueprintStartProps) {
  const navigate = useNavigate();
  const { sources } = useSnapshot(dataSourcesState);
  return (
    <StartDialog
      blueprint={blueprint}
      connectors={sources}
      onStart={startBlueprint}
      onStarted={(conversation) => {
        putConversation({ ...conversation, messageSet: [] });
        void navigate(paths.conversation(conversation.id));
      }}
      onClose={onClose}
    />
  );
}
