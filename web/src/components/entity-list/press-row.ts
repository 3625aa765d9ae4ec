import type { MouseEvent } from 'react';
import { mainSelector } from './use-arrow-keys';

/** What stands in a row and answers a press itself. */
const ownPress = 'a, button, input, select, textarea, label, summary, [role="switch"], [role="menuitem"]';

/**
 * Has a press anywhere in a row do what its main control does, as on a card: open the entity, or choose it. It is
 * for the mouse; keys and readers of the screen have the control, which keeps its one name.
 */
export function pressRow(event: MouseEvent<HTMLElement>): void {
  const target = event.target;
  // A menu or a popover of a row is drawn elsewhere on the page, and its presses arrive here, too.
  if (!(target instanceof Element) || !event.currentTarget.contains(target)) return;
  if (event.defaultPrevented || target.closest(ownPress) !== null) return;
  // Words were marked to copy them.
  if (window.getSelection()?.isCollapsed === false) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  // With its keys, as in another tab.
  target
    .closest('tr')
    ?.querySelector(mainSelector)
    ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}
