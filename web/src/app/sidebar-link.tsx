import type { ReactElement } from 'react';
import { Link, useLocation } from 'react-router';
import { Tooltip } from '@/components/tooltip/tooltip';
import { shell as t } from '@/messages/shell';
import type { Place } from './sidebar-places';
import styles from './sidebar.module.css';

interface SidebarLinkProps {
  place: Place;
  collapsed: boolean;
  onNavigate?: (() => void) | undefined;
}

/** The link to one area, marked while a page of it is open. */
export function SidebarLink({ place, collapsed, onNavigate }: SidebarLinkProps) {
  const { page, to, icon: Icon, also } = place;
  const label = t(place.label);
  const { pathname } = useLocation();
  const here =
    page !== null && (pathname === to || pathname.startsWith(`${to}/`) || also?.test(pathname) === true);
  return (
    <li>
      <Hint text={page === null ? t('place.notOffered', { place: label }) : label} shown={collapsed}>
        {page === null ? (
          <button type="button" className={styles.link} disabled>
            <Icon size={18} aria-hidden="true" />
            <span className={styles.label}>{label}</span>
          </button>
        ) : (
          <Link
            to={to}
            className={styles.link ?? ''}
            // NavLink would not mark the entry at addresses that do not begin with its own.
            {...(here && { 'aria-current': 'page' as const })}
            onClick={onNavigate}
          >
            <Icon size={18} aria-hidden="true" />
            <span className={styles.label}>{label}</span>
          </Link>
        )}
      </Hint>
    </li>
  );
}

interface HintProps {
  text: string;
  shown: boolean;
  children: ReactElement;
}

/** Names an icon that is shown without its label. */
export function Hint({ text, shown, children }: HintProps) {
  return shown ? (
    <Tooltip content={text} side="right">
      {children}
    </Tooltip>
  ) : (
    children
  );
}
