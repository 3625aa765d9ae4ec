import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { EntityMenu } from '@/components/entity-menu/entity-menu';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { DataSource } from '@/lib/wire';
import { connectors as t } from '@/messages/connectors';
import {
  archiveSource,
  deleteSource,
  downloadSource,
  toggleDataSourceFavorite,
} from '@/stores/datasources-store/change';
import { ReplaceFile } from './replace-file';
import { SourceAccess } from './source-access';

interface SourceMenuProps {
  source: DeepReadonly<DataSource>;
  /** In a list the person stays there; on the page of a connector, deleting it leads back to the list. */
  inList?: boolean;
}

/** The actions for a connector. Those that the server would refuse say why they are disabled. */
export function SourceMenu({ source, inList = false }: SourceMenuProps) {
  const { id, name, abilities, isFavorite, permission, scope, hasFile } = source;
  const isOwner = permission === 'owner';
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'access' | 'replace' | null>(null);

  async function leave(done: boolean): Promise<boolean> {
    if (done && !inList) await navigate(paths.dataSources, { replace: true });
    return done;
  }

  const reason = (able: boolean, text: string) => (able ? {} : { disabledReason: text });
  return (
    <>
      <EntityMenu
        name={name}
        inList={inList}
        actions={{
          favorite: { on: isFavorite, onChange: (on) => void toggleDataSourceFavorite(id, on) },
          edit: { to: paths.dataSourceEdit(id), ...reason(abilities.edit, t('edit.reason')) },
          access: { onOpen: () => setAsking('access') },
          download: {
            onDownload: () => void downloadSource(source),
            ...reason(abilities.download, t(hasFile ? 'download.type' : 'download.reason')),
          },
          others: abilities.replaceFile
            ? [{ label: t('replace'), icon: <FileUp size={15} />, onSelect: () => setAsking('replace') }]
            : [],
          archive: {
            title: t('archive.title'),
            text: t('archive.text', { name }),
            onConfirm: async () => leave(await archiveSource(id)),
            ...reason(abilities.archive, t(isOwner ? 'archive.reason' : 'archive.owner')),
          },
          remove: {
            title: t('delete.title'),
            text: t('delete.text', { name }),
            onConfirm: async () => leave(await deleteSource(id)),
            ...reason(
              abilities.delete,
              t(scope === 'organization' ? 'delete.organization' : 'delete.reason'),
            ),
          },
        }}
      />
      {asking === 'access' && (
        <SourceAccess sourceId={id} editable={abilities.manageAccess} onClose={() => setAsking(null)} />
      )}
      {asking === 'replace' && <ReplaceFile source={source} onClose={() => setAsking(null)} />}
    </>
  );
}
