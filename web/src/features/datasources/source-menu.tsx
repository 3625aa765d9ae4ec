import { DropdownMenu, IconButton } from '@radix-ui/themes';
import { Archive, Download, Ellipsis, Trash2, Users } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { ConfirmDialog } from '@/components/confirm-dialog/confirm-dialog';
import type { DeepReadonly } from '@/lib/deep-readonly';
import { paths } from '@/lib/paths';
import type { DataSource } from '@/lib/wire';
import { archiveSource, deleteSource, downloadSource } from '@/stores/datasources-store';
import { SourceAccess } from './source-access';

/** What can be done with a connector as a whole. Nothing is offered that the server would refuse. */
export function SourceMenu({ source }: { source: DeepReadonly<DataSource> }) {
  const { id, name, abilities } = source;
  const navigate = useNavigate();
  const [asking, setAsking] = useState<'archive' | 'delete' | 'access' | null>(null);

  async function leave(done: boolean): Promise<boolean> {
    if (done) await navigate(paths.dataSources, { replace: true });
    return done;
  }

  return (
    <>
      <DropdownMenu.Root>
        <DropdownMenu.Trigger>
          <IconButton variant="ghost" color="gray" aria-label="More actions">
            <Ellipsis size={18} />
          </IconButton>
        </DropdownMenu.Trigger>
        <DropdownMenu.Content align="end">
          <DropdownMenu.Item onSelect={() => setAsking('access')}>
            <Users size={15} /> Manage access
          </DropdownMenu.Item>
          {abilities.download && (
            <DropdownMenu.Item onSelect={() => void downloadSource(source)}>
              <Download size={15} /> Download
            </DropdownMenu.Item>
          )}
          {abilities.archive && (
            <DropdownMenu.Item onSelect={() => setAsking('archive')}>
              <Archive size={15} /> Archive
            </DropdownMenu.Item>
          )}
          {abilities.delete && (
            <DropdownMenu.Item color="red" onSelect={() => setAsking('delete')}>
              <Trash2 size={15} /> Delete
            </DropdownMenu.Item>
          )}
        </DropdownMenu.Content>
      </DropdownMenu.Root>
      {asking === 'access' && (
        <SourceAccess sourceId={id} editable={abilities.manageAccess} onClose={() => setAsking(null)} />
      )}
      <ConfirmDialog
        open={asking === 'archive'}
        onOpenChange={() => setAsking(null)}
        title="Archive connector"
        confirmLabel="Archive"
        onConfirm={async () => leave(await archiveSource(id))}
      >
        {name} leaves the lists of everybody who uses it. Answers that it gave stay.
      </ConfirmDialog>
      <ConfirmDialog
        open={asking === 'delete'}
        onOpenChange={() => setAsking(null)}
        title="Delete connector"
        confirmLabel="Delete"
        destructive
        onConfirm={async () => leave(await deleteSource(id))}
      >
        {name} is deleted for everybody who uses it, with its data. Answers that it gave stay. This cannot be
        undone.
      </ConfirmDialog>
    </>
  );
}
