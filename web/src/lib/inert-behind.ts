const mark = 'data-aria-hidden';

/**
 * Removes elements that a dialog or an open list of choices hides from screen readers from the tab order, too. The
 * component library marks elements behind with `data-aria-hidden` and traps the focus; `inert` has the same effect
 * in browsers and in screen readers that move independently of the focus. Returns a function to stop.
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
