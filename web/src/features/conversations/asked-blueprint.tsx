import { lazy, Suspense, useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { notify } from '@/lib/notify';
import { paths } from '@/lib/paths';
import { readQueryArray } from '@/lib/query';
import { useEntity } from '@/lib/use-collection';
import { blueprints as t } from '@/messages/blueprints';
import { blueprints } from '@/stores/blueprints-store/blueprints';
import { startBlueprint } from '@/stores/blueprints-store/start';
import { putConversation } from '@/stores/conversations-store';
import { dataSources } from '@/stores/datasources-store/sources';

const StartDialog = lazy(async () => ({
  default: (await import('@/components/blueprint/start-dialog')).StartDialog,
}));

const parameter = 'blueprint';

/** The start of the blueprint that the address names, as in `/conversations/new?blueprint=7`. */
export function AskedBlueprint() {
  const [search, setSearch] = useSearchParams();
  const named = readQueryArray(search, parameter)[0];
  if (typeof named !== 'number' || !Number.isSafeInteger(named) || named <= 0) return null;
  return (
    <AskedStart
      id={named}
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

function AskedStart({ id, onClose }: { id: number; onClose: () => void }) {
  const navigate = useNavigate();
  const { byId } = useSnapshot(dataSources.state);
  const { status, entity } = useEntity(blueprints, id);

  useEffect(() => {
    if (status === 'gone') notify.error(t('gone', { id: String(id) }));
    if (status === 'failed') notify.error(t('fetch.failed'));
  }, [id, status]);

  if (!entity) return null;
  return (
    <Suspense>
      <StartDialog
        blueprint={entity}
        connectors={Object.values(byId)}
        onStart={startBlueprint}
        onStarted={(conversation) => {
          putConversation({ ...conversation, messageSet: [] });
          void navigate(paths.conversation(conversation.id), { replace: true });
        }}
        onClose={onClose}
      />
    </Suspense>
  );
}
