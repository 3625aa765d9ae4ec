import { useNavigate } from 'react-router';
import type { BlueprintSummary } from '@/components/blueprint/blueprint';
import { StartDialog } from '@/components/blueprint/start-dialog';
import { paths } from '@/lib/paths';
import { everySource } from '@/lib/datasource-filter';
import { useList } from '@/lib/use-collection';
import { startBlueprint } from '@/stores/blueprints-store/start';
import { putConversation } from '@/stores/conversations-store';
import { dataSources as heldSources } from '@/stores/datasources-store/sources';

interface BlueprintStartProps {
  blueprint: BlueprintSummary;
  onClose: () => void;
}

/** Starts a conversation with a blueprint, and goes there. */
export function BlueprintStart({ blueprint, onClose }: BlueprintStartProps) {
  const navigate = useNavigate();
  const { items: sources } = useList(heldSources, everySource);
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
