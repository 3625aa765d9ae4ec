import { proxy } from 'valtio';
import type { LoadStatus } from './load-status';

export type Id = number | string;

export interface Entity {
  id: Id;
}

/** One list of a collection: the results of one query. */
export interface ListState {
  status: LoadStatus;
  /** In the server's order. */
  ids: Id[];
  /** The number of entities on the server, shown or not. */
  count: number;
  /**
   * The pages that are shown, counted from 1: in a table both are the same page; with Load more they start with the
   * first one.
   */
  first: number;
  last: number;
  /** Whether a page follows the last one. */
  more: boolean;
  /** A change may not be in this list: it is fetched again when it is shown next. */
  stale: boolean;
}

/**
 * One entity that was fetched separately. The old state stays visible while it is fetched again, also if that
 * fails.
 */
export interface DetailState<D> {
  status: 'loading' | 'ready' | 'refreshing' | 'gone' | 'failed';
  entity: D | null;
}

export interface CollectionState<T, D> {
  byId: Record<Id, T>;
  lists: Record<string, ListState>;
  details: Record<Id, DetailState<D>>;
}

/** Whether an entity belongs to the list of a query; `null` if only the server knows. */
export type Admits<T> = (entity: T, listKey: string) => boolean | null;

const emptyList = (): ListState => ({
  status: 'initial',
  ids: [],
  count: 0,
  first: 1,
  last: 1,
  more: false,
  stale: false,
});

/**
 * The data of a collection, and when each entity was last changed here: an answer that was requested before the
 * change is older than the local state. This file does not call the server.
 */
export class Holdings<T extends Entity, D extends T> {
  readonly state = proxy<CollectionState<T, D>>({ byId: {}, lists: {}, details: {} });
  readonly #admits: Admits<T>;
  readonly #touched = new Map<Id, number>();
  #clock = 0;

  constructor(admits: Admits<T>) {
    this.#admits = admits;
  }

  /** The current time, as a count of changes. */
  get clock(): number {
    return this.#clock;
  }

  /** Whether an entity was changed here since then. */
  isNewer(id: Id, since: number): boolean {
    return (this.#touched.get(id) ?? 0) > since;
  }

  list(key: string): ListState {
    return (this.state.lists[key] ??= emptyList());
  }

  detail(id: Id): DetailState<D> | undefined {
    return this.state.details[id];
  }

  /** Stores the answer of a list that was requested at `since`, and returns the ids of the entities that exist. */
  storeAnswer(results: readonly T[], since: number): Id[] {
    for (const entity of results) if (!this.isNewer(entity.id, since)) this.hold(entity);
    return [...new Set(results.map(({ id }) => id))].filter((id) => this.state.byId[id] !== undefined);
  }

  /** Stores the newest state of an entity, without removing fields that this answer does not contain. */
  hold(entity: T): void {
    const held = this.state.byId[entity.id];
    if (held) Object.assign(held, entity);
    else this.state.byId[entity.id] = { ...entity };
  }

  holdDetail(entity: D): void {
    this.hold(entity);
    this.state.details[entity.id] = { status: 'ready', entity };
  }

  /** Changes the stored state of an entity. Returns whether it is stored. */
  change(id: Id, changes: Partial<D>): boolean {
    const held = [this.state.byId[id], this.state.details[id]?.entity].filter((copy) => copy != null);
    if (held.length === 0) return false;
    this.touch(id);
    for (const copy of held) Object.assign(copy, changes);
    this.place(id);
    return true;
  }

  forget(id: Id): void {
    this.touch(id);
    const { byId, details, lists } = this.state;
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- a record by id is what valtio tracks best
    delete byId[id];
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the same
    delete details[id];
    for (const list of Object.values(lists)) takeOut(list, id);
  }

  dropList(key: string): void {
    // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the same
    delete this.state.lists[key];
  }

  touch(id: Id): void {
    this.#touched.set(id, ++this.#clock);
  }

  /**
   * Removes a changed entity from the lists that it no longer belongs to, and marks those that it may belong to
   * now.
   */
  place(id: Id): void {
    const entity = this.state.byId[id];
    if (!entity) return;
    for (const [key, list] of Object.entries(this.state.lists)) {
      const inside = list.ids.includes(id);
      const admitted = this.#admits(entity, key);
      if (inside && admitted === false) takeOut(list, id);
      else if (!inside && admitted !== false) list.stale = true;
    }
  }

  clear(): void {
    this.#touched.clear();
    Object.assign(this.state, { byId: {}, lists: {}, details: {} });
  }
}

function takeOut(list: ListState, id: Id): void {
  if (!list.ids.includes(id)) return;
  list.ids = list.ids.filter((other) => other !== id);
  list.count = Math.max(0, list.count - 1);
}
