/** How far above the element under the pointer the one with the ellipsis can be. */
const mostSteps = 4;
/** Marks the tooltips that are set here, so that they are taken away when the text fits again. */
const mark = 'data-cut';

/**
 * Gives each text that is cut with an ellipsis its whole text as tooltip when the pointer is over it, so that a cut
 * name does not mislead. An element that has a tooltip already, by itself or around it, keeps that one. Returns how
 * to stop it.
 */
export function showCutTexts(): () => void {
  const tell = ({ target }: Event): void => {
    let element = target instanceof HTMLElement ? target : null;
    for (let step = 0; element !== null && step < mostSteps; step++, element = element.parentElement) {
      if (element.hasAttribute(mark)) {
        element.removeAttribute(mark);
        element.removeAttribute('title');
      }
      if (!isCut(element)) continue;
      if (element.closest('[title]') !== null) return;
      element.title = element.textContent.trim();
      element.setAttribute(mark, '');
      return;
    }
  };
  document.addEventListener('pointerover', tell, { passive: true });
  return () => document.removeEventListener('pointerover', tell);
}

function isCut(element: HTMLElement): boolean {
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  if (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) return true;
  return !['', 'none'].includes(webkitLineClamp) && element.scrollHeight > element.clientHeight;
}
