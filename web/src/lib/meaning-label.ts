import { columnLabel } from './column-name';
import type { DeepReadonly } from './deep-readonly';
import type { MeaningTable } from './wire';

/**
 * How people write a column of a table: its label, or its own name if two columns have the same label. A column that the
 * table does not have, such as one of an earlier file, is written by its name.
 */
export function labelIn(table: DeepReadonly<MeaningTable> | undefined, name: string): string {
  const written = (of: { name: string; label: string }): string => of.label.trim() || columnLabel(of.name);
  const columns = table?.columns ?? [];
  const column = columns.find((one) => one.name === name);
  if (column === undefined) return columnLabel(name);
  const label = written(column);
  return columns.filter((one) => written(one) === label).length > 1 ? name : label;
}
