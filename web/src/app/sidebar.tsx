import { Avatar, IconButton, Text, Tooltip } from '@radix-ui/themes';
import {
  Braces,
  Database,
  Home,
  ListChecks,
  LogOut,
  MessagesSquare,
  Moon,
  PanelLeftClose,
  PanelLeftOpen,
  Sun,
  SunMoon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { NavLink, useLocation } from 'react-router';
import { useSnapshot } from 'valtio';
import { Logo } from '@/components/logo/logo';
import { cx } from '@/lib/cx';
import { initials } from '@/lib/format';
import { paths } from '@/lib/paths';
import { meState } from '@/stores/me-store';
import { preferencesState, setAppearance, type Appearance } from '@/stores/preferences-store';
import styles from './shell.module.css';

interface SidebarProps {
  collapsed: boolean;
  /** Left out where the sidebar is a drawer, which has no narrow form. */
  onToggle?: (() => void) | undefined;
  /** Called when a link was followed, so that a drawer can close. */
  onNavigate?: (() => void) | undefined;
  onLogOut: () => void;
}

const links: readonly { to: string; label: string; icon: ReactNode; also?: RegExp }[] = [
  { to: paths.home, label: 'Home', icon: <Home size={18} />, also: /^\/$/u },
  { to: paths.conversations, label: 'Conversations', icon: <MessagesSquare size={18} /> },
  { to: paths.dataSources, label: 'Connectors', icon: <Database size={18} />, also: /^\/datasource\//u },
  { to: paths.blueprints, label: 'Blueprints', icon: <ListChecks size={18} />, also: /^\/blueprint\//u },
];

const nextAppearance: Record<Appearance, Appearance> = { system: 'light', light: 'dark', dark: 'system' };
const appearanceIcon = { system: <SunMoon size={18} />, light: <Sun size={18} />, dark: <Moon size={18} /> };

/** The way to every page that there is. */
export function Sidebar({ collapsed, onToggle, onNavigate, onLogOut }: SidebarProps) {
  const { user } = useSnapshot(meState);
  const { appearance } = useSnapshot(preferencesState);
  const { pathname } = useLocation();

  return (
    <nav className={cx(styles.nav, collapsed && styles.collapsed)} aria-label="Main">
      <div className={styles.brand}>
        <Logo size={26} />
        <span className={styles.label}>Parley</span>
      </div>
      <ul className={styles.list}>
        {links.map(({ to, label, icon, also }) => (
          <li key={to}>
            <Hint text={label} shown={collapsed}>
              <NavLink
                to={to}
                className={styles.link ?? ''}
                {...(also?.test(pathname) === true && { 'aria-current': 'page' as const })}
                onClick={onNavigate}
              >
                {icon}
                <span className={styles.label}>{label}</span>
              </NavLink>
            </Hint>
          </li>
        ))}
      </ul>
      <div className={styles.spacer} />
      <ul className={styles.list}>
        <li>
          <Hint text="API reference" shown={collapsed}>
            <NavLink to={paths.apiReference} className={styles.link ?? ''} onClick={onNavigate}>
              <Braces size={18} />
              <span className={styles.label}>API reference</span>
            </NavLink>
          </Hint>
        </li>
        <li>
          <Hint text={`Appearance: ${appearance}`} shown={collapsed}>
            <button
              type="button"
              className={styles.link}
              onClick={() => setAppearance(nextAppearance[appearance])}
            >
              {appearanceIcon[appearance]}
              <span className={styles.label}>Appearance: {appearance}</span>
            </button>
          </Hint>
        </li>
        <li>
          <Hint text="Log out" shown={collapsed}>
            <button type="button" className={styles.link} onClick={onLogOut}>
              <LogOut size={18} />
              <span className={styles.label}>Log out</span>
            </button>
          </Hint>
        </li>
      </ul>
      <div className={styles.person}>
        <Avatar
          size="2"
          radius="full"
          fallback={initials(user?.fullName ?? '')}
          alt={collapsed ? (user?.fullName ?? '') : ''}
          {...(user?.picture !== undefined && user.picture !== '' && { src: user.picture })}
        />
        {!collapsed && (
          <div className={styles.personText}>
            <Text as="div" size="2" weight="medium" truncate>
              {user?.fullName}
            </Text>
            <Text as="div" size="1" color="gray" truncate>
              {user?.organization.name}
            </Text>
          </div>
        )}
        {onToggle && !collapsed && <Toggle collapsed={collapsed} onToggle={onToggle} />}
      </div>
      {onToggle && collapsed && <Toggle collapsed={collapsed} onToggle={onToggle} />}
    </nav>
  );
}

function Toggle({ collapsed, onToggle }: { collapsed: boolean; onToggle: () => void }) {
  const label = collapsed ? 'Expand sidebar' : 'Collapse sidebar';
  return (
    <Tooltip content={label} side="right">
      <IconButton variant="ghost" color="gray" m="1" aria-label={label} onClick={onToggle}>
        {collapsed ? <PanelLeftOpen size={18} /> : <PanelLeftClose size={18} />}
      </IconButton>
    </Tooltip>
  );
}

/** Names an icon that stands without its label. */
function Hint({ text, shown, children }: { text: string; shown: boolean; children: ReactNode }) {
  return shown ? (
    <Tooltip content={text} side="right">
      {children}
    </Tooltip>
  ) : (
    children
  );
}
