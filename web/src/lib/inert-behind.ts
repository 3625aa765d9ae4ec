const mark = 'data-aria-hidden';

/**
 * Takes what a dialog or an open list of choices hides from screen readers out of the order of the keyboard too. The
 * component library marks what is behind with `data-aria-hidden` and holds the focus; `inert` says the same to
 * browsers and to readers that move by themselves. Returns how to stop.
 */
export function keepInertBehind(page: Document = document): () => void {
  const observer = new MutationObserver((changes) => {
    for (const { target } of changes) {
      if (target instanceof HTMLElement) target.toggleAttribute('inert', target.hasAttribute(mark));
    }
  });
  observer.observe(page.body, { attributes: true, attributeFilter: [mark], subtree: true });
  return () => observer.disconnect();
}
