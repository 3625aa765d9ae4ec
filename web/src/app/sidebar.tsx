import { IconButton } from '@radix-ui/themes';
import { LogOut, PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react';
import { useSnapshot } from 'valtio';
import { Keys } from '@/components/keys/keys';
import { Logo } from '@/components/logo/logo';
import { Tooltip } from '@/components/tooltip/tooltip';
import { cx } from '@/lib/cx';
import { shell as t } from '@/messages/shell';
import { meState } from '@/stores/me-store';
import { AccountMenu } from './account-menu';
import { Hint, SidebarLink } from './sidebar-link';
import { areasOf, ownPlacesOf } from './sidebar-places';
import styles from './sidebar.module.css';

interface SidebarProps {
  collapsed: boolean;
  /** Left out if the sidebar is a drawer, which has no narrow form. */
  onToggle?: (() => void) | undefined;
  /** Called when a link was followed, so that a drawer can close. */
  onNavigate?: (() => void) | undefined;
  onLogOut: () => void;
  /** Opens the command palette; left out if there is a button for it elsewhere. */
  onFind?: (() => void) | undefined;
  /** The element in which the menu of the account is drawn; by default the end of the document. */
  menuContainer?: (() => HTMLElement | null) | undefined;
}

/** The links to every area that the person has access to. */
export function Sidebar({ collapsed, onToggle, onNavigate, onLogOut, onFind, menuContainer }: SidebarProps) {
  const { user } = useSnapshot(meState);

  return (
    <nav className={cx(styles.nav, collapsed && styles.collapsed)} aria-label={t('nav.label')}>
      <div className={styles.brand}>
        <Logo size={26} />
        <span className={styles.label}>Parley</span>
        {onToggle && !collapsed && (
          <span className={styles.toggle}>
            <Toggle collapsed={collapsed} onToggle={onToggle} />
          </span>
        )}
      </div>
      {onFind && (
        <Hint text={t('find')} shown={collapsed}>
          <button type="button" className={cx(styles.link, styles.find)} onClick={onFind}>
            <Search size={18} aria-hidden="true" />
            <span className={styles.label}>{t('find')}</span>
            {!collapsed && (
              <span className={styles.findKeys}>
                <Keys keys="mod+k" />
              </span>
            )}
          </button>
        </Hint>
      )}
      <div className={styles.lists}>
        <ul className={styles.list}>
          {areasOf(user).map((place) => (
            <SidebarLink key={place.label} place={place} collapsed={collapsed} onNavigate={onNavigate} />
          ))}
        </ul>
        <ul className={styles.list}>
          {ownPlacesOf(user).map((place) => (
            <SidebarLink key={place.label} place={place} collapsed={collapsed} onNavigate={onNavigate} />
          ))}
          <li>
            <Hint text={t('logOut')} shown={collapsed}>
              <button type="button" className={styles.link} onClick={onLogOut}>
                <LogOut size={18} aria-hidden="true" />
                <span className={styles.label}>{t('logOut')}</span>
              </button>
            </Hint>
          </li>
        </ul>
      </div>
      <AccountMenu collapsed={collapsed} onNavigate={onNavigate} container={menuContainer} />
      {onToggle && collapsed && <Toggle collapsed={collapsed} onToggle={onToggle} />}
    </nav>
  );
}

interface ToggleProps {
  collapsed: boolean;
  onToggle: () => void;
}

function Toggle({ collapsed, onToggle }: ToggleProps) {
  const label = collapsed ? t('sidebar.expand') : t('sidebar.collapse');
  return (
    <Tooltip content={label} side="right">
      <IconButton variant="ghost" color="gray" m="1" aria-label={label} onClick={onToggle}>
        {collapsed ? <PanelLeftOpen size={18} /> : <PanelLeftClose size={18} />}
      </IconButton>
    </Tooltip>
  );
}
