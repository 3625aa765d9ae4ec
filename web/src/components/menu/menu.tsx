import { cloneElement, useRef, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { onDemand } from '@/lib/on-demand';
import { useOpened } from '@/lib/use-opened';
import type { MenuParts } from './menu-parts';

interface MenuProps extends Pick<
  ComponentProps<MenuParts['Content']>,
  'align' | 'side' | 'size' | 'variant' | 'container' | 'onCloseAutoFocus'
> {
  /** The button, which is there at once. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** What stands in the menu, made of the parts that come with it. */
  children: (parts: MenuParts) => ReactNode;
  onOpenChange?: (open: boolean) => void;
}

const parts = onDemand(async () => (await import('./menu-parts')).menuParts);

/** Fetches what menus are made of, for a page that is in use. */
export const preloadMenus = parts.load;

/**
 * A menu whose parts come when somebody is about to open one. It is not modal: the page behind it stays readable for
 * those who do not see it, and a lock on scrolling would be an inline style element, which our policy refuses.
 */
export function Menu({ trigger, children, onOpenChange, ...content }: MenuProps) {
  const { parts: open, byKey, button } = useOpened(parts);
  if (!open) {
    return cloneElement(trigger, {
      ...button,
      onClick: (event) => {
        onOpenChange?.(true);
        button.onClick(event);
      },
      'aria-haspopup': 'menu',
      'aria-expanded': false,
    });
  }
  return (
    <open.Root defaultOpen modal={false} {...(onOpenChange && { onOpenChange })}>
      <open.Trigger>{trigger}</open.Trigger>
      <FirstContent {...content} parts={open} byKey={byKey}>
        {children(open)}
      </FirstContent>
    </open.Root>
  );
}

interface FirstContentProps extends ComponentProps<MenuParts['Content']> {
  parts: MenuParts;
  byKey: boolean;
}

/** The parts were not there yet to see the key that opened the menu: its first entry has the focus all the same. */
function FirstContent({ parts: { Content }, byKey, children, ...props }: FirstContentProps) {
  const toFirst = useRef(byKey);
  return (
    <Content
      {...props}
      onFocus={({ target, currentTarget }) => {
        if (!toFirst.current || target !== currentTarget) return;
        toFirst.current = false;
        currentTarget.querySelector<HTMLElement>('[role^="menuitem"]:not([data-disabled])')?.focus();
      }}
    >
      {children}
    </Content>
  );
}
