import { useEffect } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { useSnapshot } from 'valtio';
import { StartDialog } from '@/components/blueprint/start-dialog';
import { notify } from '@/lib/notify';
import { paths } from '@/lib/paths';
import { readQueryArray } from '@/lib/query';
import { useEntity } from '@/lib/use-collection';
import { blueprints as t } from '@/messages/blueprints';
import { beginWithBlueprint } from '@/stores/begin-with-blueprint';
import { blueprints } from '@/stores/blueprints-store/blueprints';
import { dataSources } from '@/stores/datasources-store/sources';

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
        // The parameter is removed from the address, so that going back does not open the dialog again.
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

  return (
    <StartDialog
      blueprint={entity ?? null}
      connectors={byId}
      onStart={beginWithBlueprint}
      onStarted={(conversation) => void navigate(paths.conversation(conversation), { replace: true })}
      onClose={onClose}
    />
  );
}
