import { openedLater } from '@/lib/opened-later';
import type { FeedbackPopupProps } from './feedback-popup-body';

/** The form for feedback, next to the button that opens it. It is loaded when it is first opened. */
export const FeedbackPopup = openedLater<FeedbackPopupProps>(
  async () => (await import('./feedback-popup-body')).FeedbackPopupBody,
  ({ open }) => open,
);
