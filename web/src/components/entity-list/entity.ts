import type { ReactNode } from 'react';

export type EntityId = number | string;

/** What every list can show: something with an id and a name. */
export interface Entity {
  readonly id: EntityId;
  readonly name: string;
}

/**
 * The texts of the list about its entities. They come from the catalogue of the page, because forms cannot be
 * derived from a noun.
 */
export interface EntityWords {
  /** The accessible name of the list, such as `Connectors`. */
  list: string;
  /** The label of the search field, such as `Search connectors`. */
  search: string;
  /** How many there are, such as `12 connectors`. */
  count: (count: number) => string;
  /** For an empty list, such as `No connectors`. */
  none: string;
  /** While the first of them load, such as `Loading connectors`. */
  loading: string;
  /** They could not be loaded, such as `The connectors could not be loaded`. */
  failed: string;
}

/** How the list is filtered, and how it is shown. Pages keep it in the address, pickers in their state. */
export interface ListQuery {
  segment: string;
  /** `null` for all projects. */
  project: number | null;
  search: string;
  view: ListView;
  /** `null` for the given order of the items. */
  sort: ListSort | null;
}

export type ListView = 'card' | 'list';

export interface ListSort {
  column: string;
  descending: boolean;
}

/** One of the segments above a list. */
export interface ListSegment {
  readonly value: string;
  readonly label: string;
  /** Shown, but cannot be chosen yet. */
  readonly disabled?: boolean;
}

/** A column of the table view. The first one is the name: it sticks and opens the entity. */
export interface EntityColumn<T> {
  id: string;
  label: string;
  cell: (item: T) => ReactNode;
  /** A CSS width, such as `120px`; the others share what is left. */
  width?: string;
  /** Numbers are aligned at the end. */
  align?: 'start' | 'end';
  /**
   * How rows are sorted by this heading: here, or `server` if `items` are sorted by the server. If left out, they
   * are not sorted by it.
   */
  sort?: 'server' | ((a: T, b: T) => number);
}

/** What a card shows of an entity. */
export interface EntityCardContent {
  /** The picture of its kind, 18 px. */
  icon: ReactNode;
  /** One line; left out if the body says it all. */
  description?: string | undefined;
  /** Short grey facts in one row, such as `CSV`, `25,898 rows`. Those that are empty are left out. */
  facts: readonly ReactNode[];
  /** Its owner, as initials at the foot. */
  owner?: { readonly fullName: string; readonly picture?: string } | null;
  /** A warning before using it; it replaces the description. */
  notice?: string | undefined;
  /** Further rows between the description and the facts; the card must be as high as they need. */
  body?: ReactNode;
  /** Greyed out: it exists, but is switched off. */
  muted?: boolean;
}

/** What a press on an entity does: open its page, or something else. */
export type EntityOpening = { to: string } | { onOpen: () => void; disabled?: boolean };

/** Choosing entities instead of opening them. */
export interface EntitySelection {
  selected: readonly EntityId[];
  /** Entities that cannot be chosen. */
  disabled?: readonly EntityId[];
  /** Entities that are chosen and cannot be deselected. */
  locked?: readonly EntityId[];
  /** Choosing one deselects the other. */
  single?: boolean;
  onToggle: (id: EntityId) => void;
}

/** Makes a new entity: a button, or a link to the page that does. */
export type AddEntity = { label: string; disabledReason?: string | undefined } & (
  { onAdd: () => void } | { to: string }
);
