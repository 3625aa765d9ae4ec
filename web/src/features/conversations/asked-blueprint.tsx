import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { StartDialog } from '@/components/blueprint/start-dialog';
import { paths } from '@/lib/paths';
import { readQueryArray } from '@/lib/query';
import { blueprintsState, loadBlueprint, startBlueprint } from '@/stores/blueprints-store';
import { putConversation } from '@/stores/conversations-store';
import { dataSourcesState } from '@/stores/datasources-store';

const parameter = 'blueprint';

/** The start of the blueprint that the address names, as in `/conversations/new?blueprint=7`. */
export function AskedBlueprint() {
  const navigate = useNavigate();
  const [search, setSearch] = useSearchParams();
  const { byId } = useSnapshot(blueprintsState);
  const { sources } = useSnapshot(dataSourcesState);
  const named = readQueryArray(search, parameter)[0];
  const id = typeof named === 'number' && Number.isSafeInteger(named) && named > 0 ? named : null;
  const blueprint = id === null ? undefined : byId[id];

  useEffect(() => {
    if (id !== null) void loadBlueprint(id);
  }, [id]);

  if (!blueprint) return null;
  return (
    <StartDialog
      blueprint={blueprint}
      connectors={sources}
      onStart={startBlueprint}
      onStarted={(conversation) => {
        putConversation({ ...conversation, messageSet: [] });
        void navigate(paths.conversation(conversation.id), { replace: true });
      }}
      onClose={() => {
        // The page is left as one for a new conversation; going back does not ask again.
        setSearch(
          (left) => {
            for (const name of [parameter, `${parameter}[]`]) left.delete(name);
            return left;
          },
          { replace: true },
        );
      }}
    />
  );
}
