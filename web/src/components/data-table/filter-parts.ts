import { table } from '@/messages/table';
import { tableFilter as t } from '@/messages/table-filter';
import { type FilterProblem, readFilter } from './filter';
import { type ColumnCondition, matchingPlaces } from './filter-rows';
import { FilterHint, FilterRow } from './filter-row';
import { ClearFilters, matchedText, NoMatch } from './filter-status';
import type { TableColumn } from './table-of-rows';

/** The filters of a table as they have been read. */
export interface ReadFilters {
  conditions: readonly ColumnCondition[];
  /** By the index of the column. */
  problems: ReadonlyMap<number, FilterProblem>;
}

function readFilters(
  columns: readonly TableColumn[],
  texts: readonly string[],
  locale: string | undefined,
): ReadFilters {
  const words = { empty: t('empty'), notEmpty: t('empty.not'), yes: table('yes'), no: table('no') };
  const conditions: ColumnCondition[] = [];
  const problems = new Map<number, FilterProblem>();
  for (const [column, described] of columns.entries()) {
    const read = readFilter(texts[column] ?? '', described, words, locale);
    if (typeof read === 'string') problems.set(column, read);
    else if (read !== null) conditions.push({ column, condition: read });
  }
  return { conditions, problems };
}

/**
 * All that filtering needs. It is loaded when somebody wants to filter for the first time, because tables next to
 * charts are part of the first load.
 */
export const filterParts = {
  readFilters,
  matchingPlaces,
  matchedText,
  FilterRow,
  FilterHint,
  ClearFilters,
  NoMatch,
};

export type FilterParts = typeof filterParts;
