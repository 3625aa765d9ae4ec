import { useRef, type RefCallback } from 'react';
import { useHotkey } from '@/lib/use-hotkey';
import { conversationList as t } from '@/messages/conversation-list';

/**
 * The keys j and k, or the arrow keys once the focus is in the list, move from one conversation to the next; Enter
 * opens it. They start at the open conversation.
 */
export function useListKeys(): RefCallback<HTMLElement> {
  const list = useRef<HTMLElement | null>(null);

  function move(step: number, onlyWithin: boolean): boolean {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('[data-conversation]') ?? [])];
    const focused = links.findIndex((link) => link === document.activeElement);
    if (links.length === 0 || (onlyWithin && focused < 0)) return false;
    const open = links.findIndex((link) => link.getAttribute('aria-current') === 'page');
    const next = links[focused >= 0 ? focused + step : Math.max(open, 0)];
    if (!next) return focused >= 0;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'nearest' });
    return true;
  }

  const arrow = (event: KeyboardEvent): boolean => event.key.startsWith('Arrow');
  useHotkey({
    keys: ['j', 'ArrowDown'],
    label: t('key.next'),
    group: 'list',
    run: (event) => move(1, arrow(event)),
  });
  useHotkey({
    keys: ['k', 'ArrowUp'],
    label: t('key.previous'),
    group: 'list',
    run: (event) => move(-1, arrow(event)),
  });

  return (element) => {
    list.current = element;
  };
}
