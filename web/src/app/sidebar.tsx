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
import { Link, useLocation } from 'react-router';
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

interface Place {
  to: string;
  label: string;
  icon: ReactNode;
  /** Addresses of the same place that do not begin with `to`. */
  also?: RegExp;
}

const links: readonly Place[] = [
  { to: paths.home, label: 'Home', icon: <Home size={18} />, also: /^\/$/u },
  { to: paths.conversations, label: 'Conversations', icon: <MessagesSquare size={18} /> },
  { to: paths.dataSources, label: 'Connectors', icon: <Database size={18} />, also: /^\/datasource\//u },
  { to: paths.blueprints, label: 'Blueprints', icon: <ListChecks size={18} />, also: /^\/blueprint\//u },
];

const reference: Place = { to: paths.apiReference, label: 'API reference', icon: <Braces size={18} /> };

const nextAppearance: Record<Appearance, Appearance> = { system: 'light', light: 'dark', dark: 'system' };
const appearanceIcon = { system: <SunMoon size={18} />, light: <Sun size={18} />, dark: <Moon size={18} /> };

/** The way to every page that there is. */
export function Sidebar({ collapsed, onToggle, onNavigate, onLogOut }: SidebarProps) {
  const { user } = useSnapshot(meState);
  const { appearance } = useSnapshot(preferencesState);

  return (
    <nav className={cx(styles.nav, collapsed && styles.collapsed)} aria-label="Main">
      <div className={styles.brand}>
        <Logo size={26} />
        <span className={styles.label}>Parley</span>
      </div>
      <ul className={styles.list}>
        {links.map((place) => (
          <PlaceLink key={place.to} place={place} collapsed={collapsed} onNavigate={onNavigate} />
        ))}
      </ul>
      <div className={styles.spacer} />
      <ul className={styles.list}>
        <PlaceLink place={reference} collapsed={collapsed} onNavigate={onNavigate} />
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

interface PlaceLinkProps {
  place: Place;
  collapsed: boolean;
  onNavigate: (() => void) | undefined;
}

/** The way to one page, marked while that page or one below it is open. */
function PlaceLink({ place, collapsed, onNavigate }: PlaceLinkProps) {
  const { to, label, icon, also } = place;
  const { pathname } = useLocation();
  const here = pathname === to || pathname.startsWith(`${to}/`) || also?.test(pathname) === true;
  return (
    <li>
      <Hint text={label} shown={collapsed}>
        <Link
          to={to}
          className={styles.link ?? ''}
          // NavLink would leave the mark out at the addresses that it does not know.
          {...(here && { 'aria-current': 'page' as const })}
          onClick={onNavigate}
        >
          {icon}
          <span className={styles.label}>{label}</span>
        </Link>
      </Hint>
    </li>
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
