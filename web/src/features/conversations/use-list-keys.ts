import { useRef, type RefCallback } from 'react';
import { useHotkey } from '@/lib/use-hotkey';
import { conversationList as t } from '@/messages/conversation-list';
import type { ListName } from './list-name';
import { pressRow } from './selection-later';

/** The conversation whose link or check box has the focus, as its place among the links; -1 if none has. */
function focusedOf(links: readonly HTMLElement[]): number {
  const focused = document.activeElement;
  const row = focused?.matches('[role="checkbox"]') === true ? focused.parentElement : null;
  return links.findIndex((link) => link === focused || (row !== null && link.parentElement === row));
}

/**
 * The keys j and k, or the arrow keys once the focus is in the list, move from one conversation to the next; Enter
 * opens it, and x selects it. They start at the open conversation.
 */
export function useListKeys(name: ListName): RefCallback<HTMLElement> {
  const list = useRef<HTMLElement | null>(null);

  const drawn = (): HTMLElement[] => [
    ...(list.current?.querySelectorAll<HTMLElement>('[data-conversation]') ?? []),
  ];

  function move(step: number, onlyWithin: boolean): boolean {
    const links = drawn();
    const focused = focusedOf(links);
    if (links.length === 0 || (onlyWithin && focused < 0)) return false;
    const open = links.findIndex((link) => link.getAttribute('aria-current') === 'page');
    const next = links[focused >= 0 ? focused + step : Math.max(open, 0)];
    if (!next) return focused >= 0;
    next.focus({ preventScroll: true });
    next.scrollIntoView({ block: 'nearest' });
    return true;
  }

  function select({ shiftKey }: KeyboardEvent): boolean {
    const links = drawn();
    const id = links[focusedOf(links)]?.dataset['conversation'];
    if (id === undefined) return false;
    pressRow(name, id, shiftKey);
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
  useHotkey({ keys: 'x', label: t('key.select'), group: 'list', run: select });

  return (element) => {
    list.current = element;
  };
}
