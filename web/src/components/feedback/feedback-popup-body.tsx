import type { PopupProps } from '@/components/popup/popup-body';
import { PopupBody } from '@/components/popup/popup-body';
import { FeedbackForm, type FeedbackFormProps } from './feedback-form';

/** The props of the popup. */
export interface FeedbackPopupProps
  extends Pick<PopupProps, 'anchor' | 'open' | 'onOpenChange'>, Omit<FeedbackFormProps, 'onSent'> {}

/** The form for feedback as a popup. It closes when the feedback is accepted. */
export function FeedbackPopupBody({ anchor, open, onOpenChange, ...form }: FeedbackPopupProps) {
  return (
    <PopupBody
      anchor={anchor}
      open={open}
      onOpenChange={onOpenChange}
      width="360px"
      maxWidth="calc(100vw - 24px)"
      label={form.title}
    >
      <FeedbackForm {...form} onSent={() => onOpenChange(false)} />
    </PopupBody>
  );
}
