import { proxy } from 'valtio';
import type { LoadStatus } from './load-status';

export type Id = number | string;

export interface Entity {
  id: Id;
}

/** One list of a collection: what one query has brought. */
export interface ListState {
  status: LoadStatus;
  /** In the server's order. */
  ids: Id[];
  /** How many there are on the server, shown or not. */
  count: number;
  /** The pages that are shown, counted from 1: the same one twice in a table, from the first one on under Load more. */
  first: number;
  last: number;
  /** Whether a page follows the last one. */
  more: boolean;
  /** Something has changed that this list may not know: it is fetched again when it is shown next. */
  stale: boolean;
}

/** One entity that was fetched by itself. What is held stays shown while it is fetched again, also where that fails. */
export interface DetailState<D> {
  status: 'loading' | 'ready' | 'refreshing' | 'gone' | 'failed';
  entity: D | null;
}

export interface CollectionState<T, D> {
  byId: Record<Id, T>;
  lists: Record<string, ListState>;
  details: Record<Id, DetailState<D>>;
}

/** Whether an entity stands in the list of a query; `null` where only the server knows. */
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
 * What a collection holds, and when each entity was last changed here: an answer that was asked for
 * before that is older than what is held. Nothing in this file asks the server.
 */
export class Holdings<T extends Entity, D extends T> {
  readonly state = proxy<CollectionState<T, D>>({ byId: {}, lists: {}, details: {} });
  readonly #admits: Admits<T>;
  readonly #touched = new Map<Id, number>();
  #clock = 0;

  constructor(admits: Admits<T>) {
    this.#admits = admits;
  }

  /** Now, in changes counted. */
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

  /** Holds what a list answered that was asked for at `since`, and answers the ids of what is there. */
  holdAnswer(results: readonly T[], since: number): Id[] {
    for (const entity of results) if (!this.isNewer(entity.id, since)) this.hold(entity);
    return [...new Set(results.map(({ id }) => id))].filter((id) => this.state.byId[id] !== undefined);
  }

  /** Holds an entity's newest state without taking away what this answer does not tell. */
  hold(entity: T): void {
    const held = this.state.byId[entity.id];
    if (held) Object.assign(held, entity);
    else this.state.byId[entity.id] = { ...entity };
  }

  holdDetail(entity: D): void {
    this.hold(entity);
    this.state.details[entity.id] = { status: 'ready', entity };
  }

  /** Changes what is held of an entity. Answers whether anything is held of it. */
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

  /** Takes a changed entity out of the lists that it left, and marks those that it may have come into. */
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
