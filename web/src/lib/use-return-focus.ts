import { useMemo, useRef } from 'react';

/** The props of a dialog's content that return the focus to where it was. */
interface ReturnFocus {
  onOpenAutoFocus: () => void;
  onCloseAutoFocus: (event: Event) => void;
}

/**
 * The element that opened the dialog: the one with the focus, or, if that is an entry of a menu, the menu's button.
 */
function openerOf(focused: Element | null): HTMLElement | null {
  const labelledBy = focused?.closest('[role="menu"]')?.getAttribute('aria-labelledby');
  const opener = typeof labelledBy === 'string' ? document.getElementById(labelledBy) : focused;
  return opener instanceof HTMLElement && opener !== document.body ? opener : null;
}

/**
 * Radix returns the focus only to a dialog's own trigger. A dialog that is opened by the state of its page has
 * none, and would leave keyboard users at the top of the document. If there is a better place than the one before, `next`
 * returns it.
 */
export function useReturnFocus(next?: () => HTMLElement | null): ReturnFocus {
  const opener = useRef<HTMLElement | null>(null);
  return useMemo(
    () => ({
      onOpenAutoFocus: () => {
        opener.current = openerOf(document.activeElement);
      },
      onCloseAutoFocus: (event) => {
        event.preventDefault();
        // The element that opened it may have been deleted; then the page itself gets the focus.
        const back = opener.current?.isConnected === true ? opener.current : document.getElementById('main');
        const there = next?.() ?? back;
        there?.focus({ preventScroll: true });
      },
    }),
    [next],
  );
}
