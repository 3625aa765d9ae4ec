import { onDemand } from '@/lib/on-demand';
import type { ListName } from './list-name';

/** What is only needed while conversations are being selected: it is loaded when a person begins to. */
export const selectionParts = onDemand(() => import('./conversation-selection'));

/** A person selects a row, or no longer; with `range` all rows from the one that was pressed before. */
export function pressRow(list: ListName, id: string, range: boolean): void {
  void selectionParts.load().then(({ selectRow }) => selectRow(list, id, range));
}
