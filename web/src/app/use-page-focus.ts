import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router';

/**
 * Moves the focus to the heading of the page after a navigation, or to the page itself if it has no heading yet: a
 * screen reader then reads the new place, and the next Tab leads to the first control of the page. A page that
 * takes the focus itself, for example for its message box, keeps it, and so does a list next to the page whose link
 * was followed.
 */
export function usePageFocus(main: RefObject<HTMLElement | null>): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    const page = main.current;
    if (!page || page.contains(document.activeElement)) return;
    const heading = page.querySelector<HTMLElement>('h1');
    heading?.setAttribute('tabindex', '-1');
    (heading ?? page).focus({ preventScroll: true });
  }, [pathname, main]);
}
