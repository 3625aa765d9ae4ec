const property = '--toast-room';
/** The gap between the toasts and the page above them, in pixels. */
const above = 8;

/**
 * Toasts cover nothing: while there are some, the custom property `--toast-room` of the document is the height that
 * they need at its lower edge, and pages and dialogs end above them (`styles.css`, `shell.module.css`). The toaster
 * writes the height of the first toast and the positions of all toasts to the attributes of its list whenever they
 * change, so these attributes are observed. A list that the pointer has opened lies over the page, as a menu does.
 */
export function keepToastRoom(place: HTMLElement): () => void {
  const root = document.documentElement;
  let before = 0;
  const measure = () => {
    const room = roomOf(place);
    const field = room > before ? visibleField() : null;
    before = room;
    if (room === 0) root.style.removeProperty(property);
    else root.style.setProperty(property, `${room}px`);
    field?.scrollIntoView({ block: 'nearest' });
  };
  const observer = new MutationObserver(measure);
  observer.observe(place, {
    subtree: true,
    childList: true,
    attributeFilter: ['style', 'data-removed', 'data-visible'],
  });
  measure();
  return () => {
    observer.disconnect();
    root.style.removeProperty(property);
  };
}

/**
 * The field of a form that has the focus, if it is visible. A form that is refused moves the focus to its first wrong
 * field and shows a toast afterwards: the page becomes shorter, and the field must not be behind its end.
 */
function visibleField(): HTMLElement | null {
  const field = document.activeElement;
  if (!(field instanceof HTMLElement) || field.closest('form') === null) return null;
  const { top, bottom } = field.getBoundingClientRect();
  return bottom > 0 && top < window.innerHeight ? field : null;
}

/**
 * How many pixels the toasts need at the lower edge: the whole first one, and the visible part of those behind it.
 */
function roomOf(place: HTMLElement): number {
  const list = place.querySelector('ol');
  const shown = place.querySelectorAll('li[data-visible="true"]:not([data-removed="true"])').length;
  if (list === null || shown === 0) return 0;
  const style = getComputedStyle(list);
  const pixels = (name: string) => Number.parseFloat(style.getPropertyValue(name)) || 0;
  const below = Number.parseFloat(style.bottom) || 0;
  return Math.ceil(below + pixels('--front-toast-height') + (shown - 1) * pixels('--gap') + above);
}
