import { useMemo, useRef, useState } from 'react';
import { onDemand } from '@/lib/on-demand';
import { useDebounced } from '@/lib/use-debounced';
import type { FilterParts, ReadFilters } from './filter-parts';
import type { TableColumn } from './table-of-rows';

const module = onDemand(async () => (await import('./filter-parts')).filterParts);

/** The time without typing after which a text is read, in ms: half a comparison is neither wrong nor of use. */
const restTime = 200;

interface Typed {
  /** The names of the columns that the texts are about. */
  of: string;
  texts: readonly string[];
}

const nothing: Typed = { of: '', texts: [] };
const unread: ReadFilters = { conditions: [], problems: new Map() };

/** The filters of a table as they were typed, and whether they are open. */
export interface Filters {
  /** Null until somebody wants to filter. */
  parts: FilterParts | null;
  open: boolean;
  typed: Typed;
  rested: Typed;
  /** Loads the code in advance. */
  comeNear: () => void;
  toggle: () => void;
  type: (next: Typed) => void;
  /** Whether the inputs were opened just now and take the focus; it says so once. */
  takesFocus: () => boolean;
}

/**
 * Owns the filters of a table. They belong to the columns and not to the rows, so a table that grows keeps them,
 * also when it becomes so large that a worker reads it.
 */
export function useFilters(): Filters {
  const [parts, setParts] = useState<FilterParts | null>(null);
  const [open, setOpen] = useState(false);
  const [typed, type] = useState<Typed>(nothing);
  const rested = useDebounced(typed, restTime);
  const opened = useRef(false);
  return {
    parts,
    open,
    typed,
    rested,
    comeNear: () => {
      // Pressing the button tries again.
      module.load().catch(() => undefined);
    },
    toggle: () => {
      const show = (come: FilterParts) => {
        opened.current = !open;
        setParts(come);
        setOpen(!open);
      };
      const here = module.now();
      if (here) show(here);
      else void module.load().then(show);
    },
    type,
    takesFocus: () => {
      const takes = opened.current;
      opened.current = false;
      return takes;
    },
  };
}

/** The filters of one table, for those who show it. */
export interface ShownFilters extends ReadFilters {
  parts: FilterParts | null;
  open: boolean;
  /** Something is typed, right or wrong. */
  active: boolean;
  /** By the index of the column. */
  texts: readonly string[];
  comeNear: () => void;
  onToggle: () => void;
  onText: (column: number, text: string) => void;
  onClear: () => void;
  takesFocus: () => boolean;
}

/** What the filters mean for the columns of a table. Filters of a table with other columns mean nothing. */
export function useReadFilters(
  filters: Filters,
  columns: readonly TableColumn[],
  locale: string | undefined,
): ShownFilters {
  const { parts, typed, rested } = filters;
  const of = columns.map(({ name }) => name).join('\n');
  const texts = typed.of === of ? typed.texts : nothing.texts;
  const active = texts.some((text) => text !== '');
  const applied = active && rested.of === of ? rested : nothing;
  const read = useMemo(
    () =>
      parts === null || applied.texts.length === 0
        ? unread
        : parts.readFilters(columns, applied.texts, locale),
    [parts, applied, columns, locale],
  );
  return {
    ...read,
    parts,
    open: filters.open && parts !== null,
    active,
    texts,
    comeNear: filters.comeNear,
    onToggle: filters.toggle,
    onText: (column, text) => {
      filters.type({
        of,
        texts: columns.map((_, index) => (index === column ? text : (texts[index] ?? ''))),
      });
    },
    onClear: () => {
      filters.type(nothing);
    },
    takesFocus: filters.takesFocus,
  };
}
