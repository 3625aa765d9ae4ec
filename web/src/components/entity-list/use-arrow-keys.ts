import type { KeyboardEvent } from 'react';

/** Marks what opens or chooses an entity; the arrow keys go from one to the next. */
export const mainMark = { 'data-entity-main': '' };

/** Selects these elements. */
export const mainSelector = '[data-entity-main]';

/** The number of columns: a table and a narrow grid have one. */
function columnsOf(list: Element): number {
  const tracks = getComputedStyle(list).gridTemplateColumns;
  return /^[\d.]+px( |$)/u.test(tracks) ? tracks.split(' ').length : 1;
}

/** Moves the focus through a list by the arrow keys, from entity to entity; Tab moves through the actions of each. */
export function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const target = event.target;
  if (!(target instanceof HTMLElement) || !target.matches(mainSelector)) return;
  const mains = [...event.currentTarget.querySelectorAll<HTMLElement>(mainSelector)];
  const list = target.closest('ul, tbody');
  const columns = list ? columnsOf(list) : 1;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: columns,
    ArrowUp: -columns,
    ...(columns > 1 && { ArrowRight: 1, ArrowLeft: -1 }),
  };
  const step = steps[event.key];
  if (step === undefined) return;
  const next = mains[mains.indexOf(target) + step];
  event.preventDefault();
  next?.focus();
}
