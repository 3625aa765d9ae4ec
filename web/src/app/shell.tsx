import { IconButton, Text } from '@radix-ui/themes';
import { Menu } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Outlet, useLocation } from 'react-router';
import { Logo } from '@/components/logo/logo';
import { paths } from '@/lib/paths';
import { useIsNarrow } from '@/lib/use-media-query';
import { logOut } from '@/stores/me-store';
import { Sidebar } from './sidebar';
import styles from './shell.module.css';

/** The frame of every guarded page: sidebar, or on a narrow window a bar with a drawer, and the page. */
export function Shell() {
  const narrow = useIsNarrow();

  return (
    <div className={styles.shell}>
      <a href="#main" className={styles.skip}>
        Skip to content
      </a>
      {!narrow && <DesktopSide onLogOut={logOut} />}
      <div className={styles.main}>
        {narrow && <DrawerBar onLogOut={logOut} />}
        <main id="main" className={styles.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}

/** Expanded on the home page and collapsed elsewhere, until the person decides otherwise. */
function DesktopSide({ onLogOut }: { onLogOut: () => void }) {
  const { pathname } = useLocation();
  const atHome = pathname === '/' || pathname === paths.home;
  const [chosen, setChosen] = useState<boolean | null>(null);
  const collapsed = chosen ?? !atHome;
  return (
    <div className={styles.side} data-collapsed={collapsed}>
      <Sidebar collapsed={collapsed} onToggle={() => setChosen(!collapsed)} onLogOut={onLogOut} />
    </div>
  );
}

/** The bar of a phone. The drawer is the browser's own modal dialog: it traps focus and closes on Escape. */
function DrawerBar({ onLogOut }: { onLogOut: () => void }) {
  const [open, setOpen] = useState(false);
  const drawer = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    if (open) drawer.current?.showModal();
    else drawer.current?.close();
  }, [open]);

  return (
    <header className={styles.topbar}>
      <IconButton
        variant="ghost"
        color="gray"
        size="3"
        aria-label="Open menu"
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Menu size={20} />
      </IconButton>
      <Logo size={24} />
      <Text weight="bold">Parley</Text>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- a click on the backdrop closes; Escape does so by itself */}
      <dialog
        ref={drawer}
        className={styles.drawer}
        aria-label="Menu"
        onClose={() => setOpen(false)}
        onClick={(event) => {
          if (event.target === drawer.current) setOpen(false);
        }}
      >
        {open && <Sidebar collapsed={false} onNavigate={() => setOpen(false)} onLogOut={onLogOut} />}
      </dialog>
    </header>
  );
}
