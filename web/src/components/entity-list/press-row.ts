import type { MouseEvent } from 'react';
import { mainSelector } from './use-arrow-keys';

/** Elements in a row that handle a press themselves. */
const ownPress = 'a, button, input, select, textarea, label, summary, [role="switch"], [role="menuitem"]';

/**
 * Makes a press anywhere in a row do what its main control does, as on a card: open the entity, or choose it. It is
 * for the mouse; the keyboard and screen readers use the control, which keeps its name.
 */
export function pressRow(event: MouseEvent<HTMLElement>): void {
  const target = event.target;
  // A menu or a popover of a row is drawn elsewhere on the page, and its press events arrive here, too.
  if (!(target instanceof Element) || !event.currentTarget.contains(target)) return;
  if (event.defaultPrevented || target.closest(ownPress) !== null) return;
  // Text was selected to copy it.
  if (window.getSelection()?.isCollapsed === false) return;
  const { ctrlKey, metaKey, shiftKey } = event;
  // Passes on the modifier keys, for example to open another tab.
  target
    .closest('tr')
    ?.querySelector(mainSelector)
    ?.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }));
}
