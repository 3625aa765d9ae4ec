import { openedLater } from '@/lib/opened-later';
import type { PopupProps } from './popup-body';

/** What stands beside a thing that is pressed or pointed at. Its parts come when it is first opened. */
export const Popup = openedLater<PopupProps>(
  async () => (await import('./popup-body')).PopupBody,
  ({ open }) => open,
);
