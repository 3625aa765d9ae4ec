import { IconButton, Text } from '@radix-ui/themes';
import { Menu, Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Outlet, useLocation, useMatch } from 'react-router';
import { Logo } from '@/components/logo/logo';
import { paths, patterns } from '@/lib/paths';
import { useIsNarrow } from '@/lib/use-media-query';
import { shell as t } from '@/messages/shell';
import { logOut } from '@/stores/me-store';
import { ConnectionBar } from './connection-bar';
import { Hands } from './hands';
import { Sidebar } from './sidebar';
import { usePageFocus } from './use-page-focus';
import styles from './shell.module.css';

/** The frame of every guarded page: sidebar, or on a narrow window a bar with a drawer, and the page. */
export function Shell() {
  const narrow = useIsNarrow();
  const main = useRef<HTMLElement>(null);
  // A conversation has its own bar with a link back: on a phone a second bar would take too much space.
  const inConversation = useMatch(patterns.conversation) !== null;
  const [finding, setFinding] = useState(false);
  const find = (): void => setFinding(true);
  usePageFocus(main);

  return (
    <div className={styles.shell}>
      <a
        href="#main"
        className={styles.skip}
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        {t('skip')}
      </a>
      <Hands finding={finding} onFinding={setFinding} />
      {!narrow && <DesktopSide onLogOut={logOut} onFind={find} />}
      <div className={styles.main}>
        {narrow && !inConversation && <DrawerBar onLogOut={logOut} onFind={find} />}
        <ConnectionBar />
        <main id="main" ref={main} className={styles.content} tabIndex={-1}>
          <Outlet />
        </main>
      </div>
    </div>
  );
}

interface SideProps {
  onLogOut: () => void;
  /** Opens the command palette. */
  onFind: () => void;
}

/** Expanded on the home page and collapsed elsewhere, until the person decides otherwise. */
function DesktopSide({ onLogOut, onFind }: SideProps) {
  const { pathname } = useLocation();
  const atHome = pathname === '/' || pathname === paths.home;
  const [chosen, setChosen] = useState<boolean | null>(null);
  const collapsed = chosen ?? !atHome;
  return (
    <div className={styles.side} data-collapsed={collapsed}>
      <Sidebar
        collapsed={collapsed}
        onToggle={() => setChosen(!collapsed)}
        onLogOut={onLogOut}
        onFind={onFind}
      />
    </div>
  );
}

/** The bar of a phone. The drawer is the browser's own modal dialog: it traps focus and closes on Escape. */
function DrawerBar({ onLogOut, onFind }: SideProps) {
  const [open, setOpen] = useState(false);
  const drawer = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    if (open) drawer.current?.showModal();
    else if (drawer.current?.open === true) drawer.current.close();
  }, [open]);

  return (
    <header className={styles.topbar}>
      <IconButton
        variant="ghost"
        color="gray"
        size="3"
        aria-label={t('menu.open')}
        aria-expanded={open}
        onClick={() => setOpen(true)}
      >
        <Menu size={20} />
      </IconButton>
      <Logo size={24} />
      <Text weight="bold">Parley</Text>
      {/* The style of a ghost button calculates with its margins, and cannot do so with the margin `auto`. */}
      <span className={styles.find}>
        <IconButton variant="ghost" color="gray" size="3" aria-label={t('find')} onClick={onFind}>
          <Search size={20} />
        </IconButton>
      </span>
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- a click on the backdrop closes; Escape does so by itself */}
      <dialog
        ref={drawer}
        className={styles.drawer}
        aria-label={t('menu')}
        onClose={() => setOpen(false)}
        onClick={(event) => {
          if (event.target === drawer.current) setOpen(false);
        }}
      >
        {open && (
          <Sidebar
            collapsed={false}
            onNavigate={() => setOpen(false)}
            onLogOut={onLogOut}
            // What is drawn elsewhere in the document is covered by the browser's own dialog.
            menuContainer={() => drawer.current}
          />
        )}
      </dialog>
    </header>
  );
}
