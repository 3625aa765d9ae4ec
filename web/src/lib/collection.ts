import { ApiError } from '@/api/errors';
import { Holdings, type CollectionState, type Entity, type Id } from './collection-state';
import type { DeepReadonly } from './deep-readonly';
import type { Page } from './wire';

/** The calls that load a collection. */
interface Source<T, Q, D> {
  /** One page, counted from 1. */
  list: (query: Q, page: number) => Promise<Page<T>>;
  /** One entity, with what lists leave out. */
  get?: (id: Id) => Promise<D>;
  /** Whether an entity belongs to the list of a query; without it a change only marks lists to be fetched again. */
  belongs?: (entity: T, query: Q) => boolean;
}

/** How many lists are kept that no view shows; each search has its own list. */
const unwatchedLists = 20;

/** The key of a query in the state. Equal queries, written in the same order, share a list. */
export function listKey(query: unknown): string {
  return JSON.stringify(query ?? null);
}

/** Whether the server says that an entity does not exist, or not for this person. */
function isGone(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 404 || error.status === 403);
}

/** The pages of a request. */
interface Pages {
  first: number;
  last: number;
  /** Appends to the shown entries, instead of replacing them. */
  append?: boolean;
  /** Tried once more if it fails: it replaced the request of a page that the person wanted. */
  insist?: boolean;
}

/** A running request for a list, and the requests that wait for its end. */
interface Loading extends Pages {
  done: Promise<void>;
  /** The list again: it has changed since it was requested. */
  again?: Promise<void>;
  /** The page that follows. */
  next?: Promise<void>;
}

/**
 * The client's data of one kind of entity: its lists by query, and single entities. The latest answer wins, equal
 * requests share one call, an entity that is answered with 403 or 404 is removed everywhere, a refetch keeps the
 * shown state, and an answer that was requested before a local change does not undo it. A failure is a status here;
 * the caller reports it.
 */
export class Collection<T extends Entity, Q = undefined, D extends T = T> {
  readonly #source: Source<T, Q, D>;
  readonly #held: Holdings<T, D>;
  readonly #queries = new Map<string, Q>();
  /** The newest request of each list; an older answer is dropped. */
  readonly #asked = new Map<string, number>();
  readonly #loading = new Map<string, Loading>();
  readonly #fetching = new Map<Id, Promise<void>>();
  readonly #watched = new Map<string, number>();
  #requests = 0;
  /** Counts resets: a request from before a reset belongs to another user. */
  #epoch = 0;

  constructor(source: Source<T, Q, D>) {
    this.#source = source;
    this.#held = new Holdings((entity, key) => {
      const query = this.#queries.get(key);
      return source.belongs && this.#queries.has(key) ? source.belongs(entity, query as Q) : null;
    });
  }

  /** For reading, through `useSnapshot`; changed by the methods only. */
  get state(): DeepReadonly<CollectionState<T, D>> {
    return this.#held.state as unknown as DeepReadonly<CollectionState<T, D>>;
  }

  /** Loads the first page of a query, once: a list that is loaded and not stale is not requested again. */
  load(query: Q): Promise<void> {
    const key = this.#keep(query);
    const { status, stale, first, last } = this.#held.list(key);
    if (status === 'fetched' && !stale) return Promise.resolve();
    const loading = this.#loading.get(key);
    if (!loading) return this.#share(key, { first, last });
    return stale ? (loading.again ??= this.#after(loading, key, () => this.load(query))) : loading.done;
  }

  /** Adds the next page, after the running request has ended. */
  more(query: Q): Promise<void> {
    const key = this.#keep(query);
    const loading = this.#loading.get(key);
    if (loading?.append) return loading.done;
    if (loading) return (loading.next ??= this.#after(loading, key, () => this.more(query)));
    const { more, last } = this.#held.list(key);
    return more ? this.#share(key, { first: last + 1, last: last + 1, append: true }) : Promise.resolve();
  }

  /** Shows a single page, as tables do. */
  goTo(query: Q, page: number): Promise<void> {
    return this.#share(this.#keep(query), { first: page, last: page });
  }

  /**
   * Fetches the shown lists again, of one query or of all; lists that are not shown are fetched when they are shown
   * next.
   */
  async refresh(query?: Q): Promise<void> {
    const keys = query === undefined ? Object.keys(this.state.lists) : [this.#keep(query)];
    const shown = keys.filter((key) => {
      const list = this.#held.list(key);
      list.stale = true;
      return list.status !== 'initial' && (query !== undefined || this.#watched.has(key));
    });
    await Promise.all(
      shown.map((key) => {
        const list = this.#held.list(key);
        // A page that the person has requested meanwhile is included.
        const { append, first, last }: Pages = this.#loading.get(key) ?? list;
        return this.#share(key, append ? { first: list.first, last, insist: true } : { first, last });
      }),
    );
  }

  /** Fetches one entity, with what lists leave out. Its old state stays visible meanwhile. */
  fetch(id: Id): Promise<void> {
    const fetching = this.#fetching.get(id);
    if (fetching) return fetching;
    const mine = this.#get(id).finally(() => {
      if (this.#fetching.get(id) === mine) this.#fetching.delete(id);
    });
    this.#fetching.set(id, mine);
    return mine;
  }

  /**
   * Stores an entity that the server has just returned after a change, and marks the lists that may not contain it.
   */
  put(entity: D): void {
    this.#held.touch(entity.id);
    this.#held.holdDetail(entity);
    this.#held.place(entity.id);
  }

  /** Changes the stored state of an entity after an event or an action. Returns whether it is stored. */
  patch(id: Id, changes: Partial<D>): boolean {
    return this.#held.change(id, changes);
  }

  /** Removes an entity everywhere. */
  forget(id: Id): void {
    this.#held.forget(id);
  }

  /** Marks a query's list as shown, until the returned function is called. */
  watch(query: Q): () => void {
    const key = this.#keep(query);
    this.#watched.set(key, (this.#watched.get(key) ?? 0) + 1);
    return () => {
      const left = (this.#watched.get(key) ?? 1) - 1;
      if (left > 0) this.#watched.set(key, left);
      else this.#watched.delete(key);
      this.#dropLists();
    };
  }

  /** Clears everything, and drops all answers that are still outstanding. */
  reset(): void {
    this.#epoch++;
    for (const kept of [this.#asked, this.#loading, this.#fetching, this.#queries]) kept.clear();
    this.#held.clear();
  }

  /** Remembers a query by its key. A query that is used again becomes the youngest. */
  #keep(query: Q): string {
    const key = listKey(query);
    this.#queries.delete(key);
    this.#queries.set(key, query);
    return key;
  }

  #share(key: string, pages: Pages): Promise<void> {
    const done = this.#pages(key, pages).finally(() => {
      if (this.#loading.get(key) === mine) this.#loading.delete(key);
    });
    const mine: Loading = { ...pages, done };
    this.#loading.set(key, mine);
    return done;
  }

  /**
   * Runs a request after another one, unless that failed, so that the person must retry, or the list is no longer
   * needed.
   */
  async #after({ done }: Loading, key: string, next: () => Promise<void>): Promise<void> {
    const epoch = this.#epoch;
    await done;
    if (epoch !== this.#epoch || !this.#queries.has(key)) return;
    if (this.#loading.has(key) || this.#held.list(key).status === 'fetched') await next();
  }

  async #pages(key: string, { first, last, append = false, insist = false }: Pages): Promise<void> {
    const list = this.#held.list(key);
    const mine = ++this.#requests;
    const since = this.#held.clock;
    const epoch = this.#epoch;
    this.#asked.set(key, mine);
    const nothing = list.ids.length === 0 && list.status !== 'fetched';
    list.status = nothing ? 'fetching' : 'updating';
    // The next page says nothing about changes in the pages before it.
    if (!append) list.stale = false;
    const overtaken = (): boolean => epoch !== this.#epoch || this.#asked.get(key) !== mine;
    try {
      const collect = () => this.#collect(this.#queries.get(key) as Q, first, last, overtaken);
      const found = await collect().catch((error: unknown) => {
        if (!insist || overtaken()) throw error;
        return collect();
      });
      if (overtaken()) return;
      const ids = this.#held.storeAnswer(found.results, since);
      list.ids = append ? [...new Set([...list.ids, ...ids])] : ids;
      if (!append) list.first = found.first;
      Object.assign(list, { count: found.count, last: found.last, more: found.more, status: 'fetched' });
    } catch {
      // The shown state stays; the error list shows the reason, and the view offers a retry.
      if (!overtaken()) Object.assign(list, { status: 'failed', stale: list.stale || !append });
    }
  }

  /** Fetches pages one after the other. If the last page has become empty, the page before it is the last one now. */
  async #collect(query: Q, first: number, last: number, overtaken: () => boolean) {
    let answer = await this.#source.list(query, first);
    if (answer.results.length === 0 && first > 1 && answer.pagination.count > 0) {
      first = last = first - 1;
      answer = await this.#source.list(query, first);
    }
    const results = [...answer.results];
    let page = first;
    while (page < last && answer.pagination.next !== null && !overtaken()) {
      answer = await this.#source.list(query, ++page);
      results.push(...answer.results);
    }
    const { count, next } = answer.pagination;
    return { results, first, last: page, count, more: next !== null };
  }

  async #get(id: Id): Promise<void> {
    const { get } = this.#source;
    if (!get) throw new Error('this collection fetches no single entities');
    const { details } = this.#held.state;
    const since = this.#held.clock;
    const epoch = this.#epoch;
    const entity = details[id]?.entity ?? null;
    details[id] = { status: entity ? 'refreshing' : 'loading', entity };
    try {
      const answer = await get(id);
      if (epoch !== this.#epoch) return;
      if (!this.#held.isNewer(id, since)) {
        this.#held.holdDetail(answer);
        return;
      }
      // An entity that was changed here meanwhile is newer than the answer, and a removed one stays removed.
      const detail = this.#held.detail(id);
      if (detail) detail.status = detail.entity ? 'ready' : 'failed';
    } catch (error) {
      if (epoch !== this.#epoch) return;
      const detail = this.#held.detail(id);
      if (isGone(error)) {
        this.#held.forget(id);
        details[id] = { status: 'gone', entity: null };
      } else if (detail) {
        detail.status = 'failed';
      }
    }
  }

  /** Drops the oldest lists that are not shown. */
  #dropLists(): void {
    const unwatched = [...this.#queries.keys()].filter((key) => !this.#watched.has(key));
    for (const key of unwatched.slice(0, Math.max(0, unwatched.length - unwatchedLists))) {
      this.#queries.delete(key);
      this.#asked.delete(key);
      this.#held.dropList(key);
    }
  }
}
