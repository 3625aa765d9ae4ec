import { useEffect } from 'react';

const product = 'Parley';

/**
 * Names the page in the tab and the history of the browser, and for screen readers after a navigation. `null`
 * leaves the name to another part of the page.
 */
export function useTitle(title: string | null): void {
  useEffect(() => {
    if (title !== null) document.title = title === '' ? product : `${title} · ${product}`;
  }, [title]);
}
