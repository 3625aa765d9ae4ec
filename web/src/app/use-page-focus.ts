import { useEffect, useRef, type RefObject } from 'react';
import { useLocation } from 'react-router';

/**
 * Moves the focus to the heading of a page that was gone to, or to the page where it has none yet: a screen reader then
 * reads where one is, and the next Tab is the page's first. A page that takes the focus itself, as to its message box,
 * keeps it, and so does a list beside the page whose link was followed.
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
