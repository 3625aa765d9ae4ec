import { openedLater } from '@/lib/opened-later';
import type { PopupProps } from './popup-body';

/** A popup next to an element that is pressed or hovered. Its parts are loaded when it is first opened. */
export const Popup = openedLater<PopupProps>(
  async () => (await import('./popup-body')).PopupBody,
  ({ open }) => open,
);
