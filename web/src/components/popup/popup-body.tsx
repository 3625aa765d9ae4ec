import { Popover } from '@radix-ui/themes';
import type { ComponentProps, ReactNode, RefObject } from 'react';

/** What the popup is told. */
export interface PopupProps extends Pick<
  ComponentProps<typeof Popover.Content>,
  'size' | 'width' | 'maxWidth' | 'onOpenAutoFocus' | 'onPointerEnter' | 'onPointerLeave'
> {
  /** What it stands beside. A press on that opens and closes it and is none beside it. */
  anchor: RefObject<HTMLElement | null>;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  label: string;
  children: ReactNode;
}

/** The design system's popover beside something that was there before it. */
export function PopupBody({ anchor, open, onOpenChange, label, children, ...content }: PopupProps) {
  // The library takes a box that is there; before it is open nobody asks where.
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
