import { IconButton, Text } from '@radix-ui/themes';
import {
  Archive,
  ArchiveRestore,
  Copy,
  Download,
  Ellipsis,
  Pencil,
  SquarePen,
  Star,
  StarOff,
  Trash2,
  Users,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import { Menu } from '@/components/menu/menu';
import type { MenuParts } from '@/components/menu/menu-parts';
import { entityMenu as t } from '@/messages/entity-menu';
import type { EntityActions } from './actions';
import { EntityActionDialog } from './entity-action-dialog';
import styles from './entity-menu.module.css';

interface EntityMenuProps {
  /** The name of the entity. */
  name: string;
  actions: EntityActions;
  /** In a list each menu names its entity; on the page of the entity that is not needed. */
  inList?: boolean;
  /** A text at the top of the menu. */
  note?: string | undefined;
}

/** The dialogs that a menu opens. */
type Asking = 'rename' | 'duplicate' | 'archive' | 'remove';

/** What can be done with an entity as a whole, each with its confirmation. */
export function EntityMenu({ name, actions, inList = false, note }: EntityMenuProps) {
  const [asking, setAsking] = useState<Asking | null>(null);
  const {
    favorite,
    edit,
    rename,
    duplicate,
    access,
    download,
    others = [],
    archive,
    unarchive,
    remove,
  } = actions;
  const size = 15;
  return (
    <>
      <Menu
        align="end"
        trigger={
          <IconButton variant="ghost" color="gray" aria-label={inList ? t('label.of', { name }) : t('label')}>
            <Ellipsis size={18} aria-hidden="true" />
          </IconButton>
        }
      >
        {(M) => (
          <>
            {note !== undefined && <M.Label>{note}</M.Label>}
            {favorite && (
              <Entry
                M={M}
                icon={favorite.on ? <StarOff size={size} /> : <Star size={size} />}
                onSelect={() => favorite.onChange(!favorite.on)}
              >
                {favorite.on ? t('favorite.remove') : t('favorite.add')}
              </Entry>
            )}
            {edit && (
              <Entry M={M} icon={<SquarePen size={size} />} to={edit.to} reason={edit.disabledReason}>
                {t('edit')}
              </Entry>
            )}
            {rename && (
              <Entry
                M={M}
                icon={<Pencil size={size} />}
                reason={rename.disabledReason}
                onSelect={() => setAsking('rename')}
              >
                {t('rename')}
              </Entry>
            )}
            {duplicate && (
              <Entry
                M={M}
                icon={<Copy size={size} />}
                reason={duplicate.disabledReason}
                onSelect={() => setAsking('duplicate')}
              >
                {t('duplicate')}
              </Entry>
            )}
            {access && (
              <Entry
                M={M}
                icon={<Users size={size} />}
                reason={access.disabledReason}
                onSelect={access.onOpen}
              >
                {t('access')}
              </Entry>
            )}
            {download && (
              <Entry
                M={M}
                icon={<Download size={size} />}
                reason={download.disabledReason}
                onSelect={download.onDownload}
              >
                {t('download')}
              </Entry>
            )}
            {others.map((other) => (
              <Entry
                M={M}
                key={other.label}
                icon={other.icon}
                reason={other.disabledReason}
                onSelect={other.onSelect}
              >
                {other.label}
              </Entry>
            ))}
            {(archive || unarchive || remove) &&
              (favorite || edit || rename || duplicate || access || download) && <M.Separator />}
            {archive && (
              <Entry
                M={M}
                icon={<Archive size={size} />}
                reason={archive.disabledReason}
                onSelect={() => setAsking('archive')}
              >
                {t('archive')}
              </Entry>
            )}
            {unarchive && (
              <Entry
                M={M}
                icon={<ArchiveRestore size={size} />}
                reason={unarchive.disabledReason}
                onSelect={unarchive.onUnarchive}
              >
                {t('unarchive')}
              </Entry>
            )}
            {remove && (
              <Entry
                M={M}
                icon={<Trash2 size={size} />}
                red
                reason={remove.disabledReason}
                onSelect={() => setAsking('remove')}
              >
                {t('delete')}
              </Entry>
            )}
          </>
        )}
      </Menu>
      <EntityActionDialog name={name} actions={actions} asking={asking} onClose={() => setAsking(null)} />
    </>
  );
}

interface EntryProps {
  M: MenuParts;
  icon: ReactNode;
  children: ReactNode;
  reason?: string | undefined;
  red?: boolean;
  onSelect?: () => void;
  to?: string;
}

/** A disabled entry can still be focused with the keyboard, so that all users learn why it is disabled. */
function Entry({ M, icon, children, reason, red = false, onSelect, to }: EntryProps) {
  if (reason !== undefined) {
    return (
      <M.Item
        className={styles.disabled ?? ''}
        aria-disabled="true"
        onSelect={(event) => event.preventDefault()}
      >
        {icon}
        <span>
          {children}
          <Text as="div" size="1" className={styles.reason ?? ''}>
            {reason}
          </Text>
        </span>
      </M.Item>
    );
  }
  if (to !== undefined) {
    return (
      <M.Item asChild>
        <Link to={to}>
          {icon} {children}
        </Link>
      </M.Item>
    );
  }
  return (
    <M.Item {...(red && { color: 'red' as const })} {...(onSelect && { onSelect })}>
      {icon} {children}
    </M.Item>
  );
}
