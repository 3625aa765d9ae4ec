import { cloneElement, useRef, type ComponentProps, type ReactElement, type ReactNode } from 'react';
import { onDemand, type OnDemand } from '@/lib/on-demand';
import { useOpened } from '@/lib/use-opened';
import type { MenuParts } from './menu-parts';

interface MenuProps extends Pick<
  ComponentProps<MenuParts['Content']>,
  'align' | 'side' | 'size' | 'variant' | 'container' | 'onCloseAutoFocus'
> {
  /** The button, which is shown at once. */
  trigger: ReactElement<ComponentProps<'button'>>;
  /** The content of the menu, built from the loaded parts. */
  children: (parts: MenuParts) => ReactNode;
  onOpenChange?: (open: boolean) => void;
  /** For entries that are loaded with the parts; see menuPartsWith. */
  from?: OnDemand<MenuParts>;
}

const parts = onDemand(async () => (await import('./menu-parts')).menuParts);

/** Loads the parts of menus in advance, once a page is in use. */
export const preloadMenus = parts.load;

/** The parts of menus together with entries that are in a file of their own: a menu opens when both are loaded. */
export function menuPartsWith(loadEntries: () => Promise<unknown>): OnDemand<MenuParts> {
  return onDemand(async () => {
    const [loaded] = await Promise.all([parts.load(), loadEntries()]);
    return loaded;
  });
}

/**
 * A menu whose parts are loaded when a user is about to open one. It is not modal: the page behind it stays
 * accessible to screen readers, and a scroll lock would be an inline style element, which our policy refuses.
 */
export function Menu({ trigger, children, onOpenChange, from = parts, ...content }: MenuProps) {
  const { parts: open, byKey, button } = useOpened(from);
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

/** The parts were not loaded yet when a key opened the menu: the first entry gets the focus nevertheless. */
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
