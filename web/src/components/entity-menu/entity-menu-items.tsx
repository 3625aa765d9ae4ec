import { Text } from '@radix-ui/themes';
import {
  Archive,
  ArchiveRestore,
  Copy,
  Download,
  Pencil,
  SquarePen,
  Star,
  StarOff,
  Trash2,
  Users,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { MenuParts } from '@/components/menu/menu-parts';
import { entityMenu as t } from '@/messages/entity-menu';
import type { Asking, EntityActions } from './actions';
import styles from './entity-menu.module.css';

const size = 15;

interface EntityMenuItemsProps {
  M: MenuParts;
  actions: EntityActions;
  note: string | undefined;
  /** Opens the dialog of an action. */
  onAsk: (dialog: Asking) => void;
}

/** The entries of the menu of an entity. */
export function EntityMenuItems({ M, actions, note, onAsk }: EntityMenuItemsProps) {
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
  return (
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
          onSelect={() => onAsk('rename')}
        >
          {t('rename')}
        </Entry>
      )}
      {duplicate && (
        <Entry
          M={M}
          icon={<Copy size={size} />}
          reason={duplicate.disabledReason}
          onSelect={() => onAsk('duplicate')}
        >
          {t('duplicate')}
        </Entry>
      )}
      {access && (
        <Entry M={M} icon={<Users size={size} />} reason={access.disabledReason} onSelect={access.onOpen}>
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
          onSelect={() => onAsk('archive')}
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
          onSelect={() => onAsk('remove')}
        >
          {t('delete')}
        </Entry>
      )}
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
