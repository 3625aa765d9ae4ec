import { Popover } from '@radix-ui/themes';
import type { ComponentProps, ReactNode, RefObject } from 'react';

/** The props of the popup. */
export interface PopupProps extends Pick<
  ComponentProps<typeof Popover.Content>,
  'size' | 'width' | 'maxWidth' | 'onOpenAutoFocus' | 'onPointerEnter' | 'onPointerLeave'
> {
  /**
   * The element next to which it is shown. A press on it opens and closes the popup and does not count as a press
   * outside.
   */
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  label: string;
  children: ReactNode;
}

/** The design system's popover next to an element that exists independently of it. */
export function PopupBody({ anchor, open, onOpenChange, label, children, ...content }: PopupProps) {
  // The library expects an element that exists; its position is not requested before the popup is open.
  const virtualRef = anchor as RefObject<HTMLElement>;
  return (
    <Popover.Root open={open} onOpenChange={onOpenChange}>
      <Popover.Anchor virtualRef={virtualRef} />
      <Popover.Content
        {...content}
        aria-label={label}
        onInteractOutside={(event) => {
          if (event.target instanceof Node && anchor.current?.contains(event.target) === true)
            event.preventDefault();
        }}
        onCloseAutoFocus={(event) => {
          event.preventDefault();
          // If the focus has moved elsewhere meanwhile, it stays there.
          if (document.activeElement === document.body) anchor.current?.focus({ preventScroll: true });
        }}
      >
        {children}
      </Popover.Content>
    </Popover.Root>
  );
}
