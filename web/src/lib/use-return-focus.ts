import { useMemo, useRef } from 'react';

/** What a dialog's content takes, to give the focus back where it was. */
interface ReturnFocus {
  onOpenAutoFocus: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/** Who opened the dialog: what has the focus, or, where that is an entry of a menu, the menu's button. */
function openerOf(focused: Element | null): HTMLElement | null {
  const labelledBy = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = typeof labelledBy === 'string' ? document.getElementById(labelledBy) : focused;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

/**
 * Radix gives the focus back to a dialog's own trigger only. A dialog that is opened by the state of
 * its page has none, and would leave a person at the keyboard at the top of the document.
 */
export function useReturnFocus(): ReturnFocus {
  const opener = useRef<HTMLElement | null>(null);
  return useMemo(
    () => ({
      onOpenAutoFocus: () => {
        opener.current = openerOf(document.activeElement);
      },
      onCloseAutoFocus: (event) => {
        event.preventDefault();
        // What opened it may have gone with what was deleted; then the page itself is the place.
        const there = opener.current?.isConnected === true ? opener.current : document.getElementById('main');
        there?.focus({ preventScroll: true });
      },
    }),
    [],
  );
}
