import { describe, expect, it } from 'vitest';
import { ApiError } from '@/api/errors';
import { AttemptKey } from './attempt-key';
import { Collection, listKey } from './collection';
import type { Page } from './wire';

interface Task {
  id: number;
  name: string;
  isActive: boolean;
  steps?: string[];
}

/** A call that the test answers at a time of its choice. */
interface Call<T> {
  query?: string;
  page?: number;
  id?: number | string;
  answer: (value: T) => Promise<void>;
  refuse: (status: number) => Promise<void>;
}

const settled = () => new Promise((resolve) => setTimeout(resolve));

function held<T>(calls: Call<T>[], asked: Omit<Call<T>, 'answer' | 'refuse'>): Promise<T> {
  return new Promise((resolve, reject) => {
    calls.push({
      ...asked,
      answer: (value) => {
        resolve(value);
        return settled() as Promise<void>;
      },
      refuse: (status) => {
        reject(new ApiError(status, 'x', 'refused'));
        return settled() as Promise<void>;
      },
    });
  });
}

const task = (id: number, name = `Task ${id}`): Task => ({ id, name, isActive: true });

function pageOf(tasks: Task[], count = tasks.length, next: string | null = null): Page<Task> {
  return { results: tasks, pagination: { count, next, previous: null } };
}

function setup(belongs?: (entity: Task, query: string) => boolean) {
  const lists: Call<Page<Task>>[] = [];
  const gets: Call<Task>[] = [];
  const tasks = new Collection<Task, string>({
    list: (query, page) => held(lists, { query, page }),
    get: (id) => held(gets, { id }),
    ...(belongs && { belongs }),
  });
  const list = (query: string) => tasks.state.lists[listKey(query)];
  const names = (query: string) => list(query)?.ids.map((id) => tasks.state.byId[id]?.name);
  return { tasks, lists, gets, list, names };
}

describe('lists', () => {
  it('asks once for what several views show, and not again for what is there', async () => {
    const { tasks, lists, list } = setup();
    void tasks.load('all');
    void tasks.load('all');
    expect(list('all')?.status).toBe('fetching');
    await lists[0]?.answer(pageOf([task(1)]));
    await tasks.load('all');
    expect(lists).toHaveLength(1);
    expect(list('all')).toMatchObject({ status: 'fetched', count: 1, more: false });
  });

  it('asks once more by itself when a refresh that overtook the next page fails, and no more', async () => {
    const { tasks, lists, list, names } = setup();
    void tasks.load('all');
    await lists[0]!.answer(pageOf([task(1)], 2, 'next'));
    void tasks.more('all');
    void tasks.refresh('all');
    await lists[2]!.refuse(500);
    // The list is requested again, with the page that was requested.
    expect(list('all')).toMatchObject({ status: 'updating' });
    await lists[3]!.answer(pageOf([task(1)], 2, 'next'));
    expect(lists[4]).toMatchObject({ page: 2 });
    await lists[4]!.answer(pageOf([task(2)], 2));
    expect(names('all')).toEqual(['Task 1', 'Task 2']);
    expect(list('all')).toMatchObject({ status: 'fetched', last: 2, more: false, stale: false });

    void tasks.refresh('all');
    await lists[5]!.refuse(500);
    expect(list('all')).toMatchObject({ status: 'failed' });
    expect(lists).toHaveLength(6);
  });

  it('says that a refresh which overtook the next page has failed, when it fails twice', async () => {
    const { tasks, lists, list } = setup();
    void tasks.load('all');
    await lists[0]!.answer(pageOf([task(1)], 2, 'next'));
    void tasks.more('all');
    void tasks.refresh('all');
    await lists[2]!.refuse(500);
    await lists[3]!.refuse(500);
    expect(list('all')).toMatchObject({ status: 'failed', last: 1, more: true, stale: true });
    expect(lists).toHaveLength(4);
  });

  it('drops an answer that a later request has overtaken', async () => {
    const { tasks, lists, names, list } = setup();
    void tasks.goTo('all', 1);
    void tasks.goTo('all', 2);
    await lists[1]?.answer(pageOf([task(2)], 2));
    await lists[0]?.answer(pageOf([task(1)], 2));
    expect(names('all')).toEqual(['Task 2']);
    expect(list('all')).toMatchObject({ first: 2, last: 2, status: 'fetched' });
  });

  it('adds the page that follows, and fetches all that is shown again', async () => {
    const { tasks, lists, names, list } = setup();
    void tasks.load('all');
    await lists[0]?.answer(pageOf([task(1), task(2)], 3, '?page=2'));
    void tasks.more('all');
    void tasks.more('all');
    await lists[1]?.answer(pageOf([task(2), task(3)], 3));
    expect(names('all')).toEqual(['Task 1', 'Task 2', 'Task 3']);
    expect(lists).toHaveLength(2);
    void tasks.refresh('all');
    await lists[2]?.answer(pageOf([task(1), task(2)], 3, '?page=2'));
    expect(lists[3]?.page).toBe(2);
    await lists[3]?.answer(pageOf([task(3, 'New name')], 3));
    expect(names('all')).toEqual(['Task 1', 'Task 2', 'New name']);
    expect(list('all')).toMatchObject({ first: 1, last: 2, more: false });
  });

  /** Two pages, of which the first is shown. */
  async function firstOfTwo() {
    const held = setup();
    void held.tasks.load('all');
    await held.lists[0]?.answer(pageOf([task(1), task(2)], 3, '?page=2'));
    return held;
  }

  /** The first page in its current state: an entity was added, and moved the last one to the next page. */
  const nowFirst = pageOf([task(9), task(1, 'New name')], 4, '?page=2');
  const nowSecond = pageOf([task(2), task(3)], 4);
  const both = ['Task 9', 'New name', 'Task 2', 'Task 3'];

  it('asks for the page that follows behind a refresh that is under way', async () => {
    const { tasks, lists, names, list } = await firstOfTwo();
    void tasks.refresh('all');
    void tasks.more('all');
    void tasks.more('all');
    await lists[1]?.answer(nowFirst);
    await lists[2]?.answer(nowSecond);
    expect(lists.map(({ page }) => page)).toEqual([1, 1, 2]);
    expect(names('all')).toEqual(both);
    expect(list('all')).toMatchObject({ status: 'fetched', first: 1, last: 2, more: false });
  });

  it.each([
    ['the refresh is answered first', [2, 3, 1]],
    ['the page that follows is answered first', [1, 2, 3]],
    ['the page that follows is answered between them', [2, 1, 3]],
  ])('has the page that follows in a refresh that came later: %s', async (_, order) => {
    const { tasks, lists, names, list } = await firstOfTwo();
    void tasks.more('all');
    void tasks.refresh('all');
    for (const call of order) {
      const stale = call === 1 ? pageOf([task(3)], 3) : undefined;
      await lists[call]?.answer(stale ?? (lists[call].page === 1 ? nowFirst : nowSecond));
    }
    expect(lists).toHaveLength(4);
    expect(names('all')).toEqual(both);
    expect(list('all')).toMatchObject({ status: 'fetched', first: 1, last: 2, more: false });
  });

  it('refreshes the page of a table that is on its way, and not the one before it', async () => {
    const { tasks, lists, names } = await firstOfTwo();
    void tasks.goTo('all', 2);
    void tasks.refresh('all');
    expect(lists[2]?.page).toBe(2);
    await lists[2]?.answer(nowSecond);
    await lists[1]?.answer(pageOf([task(3)], 3));
    expect(names('all')).toEqual(['Task 2', 'Task 3']);
  });

  it.each(['the page that follows', 'a refresh'])(
    'loads once more what has changed while %s was under way',
    async (under) => {
      const { tasks, lists, names, list } = await firstOfTwo();
      void (under === 'a refresh' ? tasks.refresh('all') : tasks.more('all'));
      tasks.put(task(9));
      expect(list('all')?.stale).toBe(true);
      void tasks.load('all');
      void tasks.load('all');
      const pages = under === 'a refresh' ? [1, 1] : [2, 1, 2];
      for (const page of pages) {
        const was = lists.length === 2;
        const first = was ? pageOf([task(1), task(2)], 3, '?page=2') : nowFirst;
        await lists.at(-1)?.answer(page === 1 ? first : was ? pageOf([task(3)], 3) : nowSecond);
      }
      expect(lists.slice(1).map(({ page }) => page)).toEqual(pages);
      expect(names('all')?.[0]).toBe('Task 9');
      expect(list('all')).toMatchObject({ status: 'fetched', stale: false });
    },
  );

  it('lets the page that follows wait for the next try when the refresh before it fails', async () => {
    const { tasks, lists, list } = await firstOfTwo();
    void tasks.refresh('all');
    void tasks.more('all');
    await lists[1]?.refuse(503);
    expect(lists).toHaveLength(2);
    expect(list('all')).toMatchObject({ status: 'failed', more: true });
  });

  it('keeps what is shown when a refetch fails, and offers another try', async () => {
    const { tasks, lists, names, list } = setup();
    void tasks.load('all');
    await lists[0]?.answer(pageOf([task(1)]));
    void tasks.refresh('all');
    expect(list('all')?.status).toBe('updating');
    await lists[1]?.refuse(503);
    expect(list('all')?.status).toBe('failed');
    expect(names('all')).toEqual(['Task 1']);
    void tasks.load('all');
    await lists[2]?.answer(pageOf([task(1)]));
    expect(list('all')?.status).toBe('fetched');
  });

  it('goes back a page when the last one has become empty', async () => {
    const { tasks, lists, names, list } = setup();
    void tasks.goTo('all', 3);
    await lists[0]?.answer(pageOf([task(21)], 21));
    tasks.forget(21);
    void tasks.refresh('all');
    await lists[1]?.answer(pageOf([], 20));
    expect(lists[2]?.page).toBe(2);
    await lists[2]?.answer(pageOf([task(20)], 20));
    expect(names('all')).toEqual(['Task 20']);
    expect(list('all')).toMatchObject({ first: 2, last: 2 });
  });

  it('does not let an answer undo what was changed, or restore what was forgotten, since it was asked for', async () => {
    const { tasks, lists, names } = setup();
    void tasks.load('all');
    await lists[0]?.answer(pageOf([task(1), task(2)]));
    void tasks.refresh('all');
    tasks.patch(1, { name: 'Changed' });
    tasks.forget(2);
    await lists[1]?.answer(pageOf([task(1, 'Older'), task(2)]));
    expect(names('all')).toEqual(['Changed']);
  });

  it('takes a changed entity out of the lists that it left, and marks those that it came into', async () => {
    const { tasks, lists, names, list } = setup((entity, query) => entity.isActive === (query === 'active'));
    void tasks.load('active');
    await lists[0]?.answer(pageOf([task(1), task(2)]));
    void tasks.load('archived');
    await lists[1]?.answer(pageOf([]));
    tasks.patch(2, { isActive: false });
    expect(names('active')).toEqual(['Task 1']);
    expect(list('active')).toMatchObject({ count: 1, stale: false });
    expect(list('archived')?.stale).toBe(true);
    void tasks.load('archived');
    expect(lists).toHaveLength(3);
  });

  it('refreshes at once only what somebody looks at', async () => {
    const { tasks, lists, list } = setup();
    for (const query of ['all', 'other']) {
      void tasks.load(query);
      await lists.at(-1)?.answer(pageOf([task(1)]));
    }
    const leave = tasks.watch('all');
    void tasks.refresh();
    expect(lists.slice(2).map((call) => call.query)).toEqual(['all']);
    expect(list('other')?.stale).toBe(true);
    leave();
  });

  it('does not keep the list of every search', async () => {
    const { tasks, lists } = setup();
    for (let n = 0; n < 60; n++) {
      const leave = tasks.watch(`words ${n}`);
      void tasks.load(`words ${n}`);
      await lists.at(-1)?.answer(pageOf([task(n)]));
      leave();
    }
    expect(Object.keys(tasks.state.lists).length).toBeLessThanOrEqual(20);
  });

  it('gives the next person nothing of what was asked for before a reset', async () => {
    const { tasks, lists, gets } = setup();
    void tasks.load('all');
    void tasks.fetch(1);
    tasks.reset();
    await lists[0]?.answer(pageOf([task(1)]));
    await gets[0]?.answer(task(1));
    expect(tasks.state).toEqual({ byId: {}, lists: {}, details: {} });
  });
});

describe('single entities', () => {
  it('shares a call, and keeps what is stored while it is fetched again', async () => {
    const { tasks, gets } = setup();
    void tasks.fetch(1);
    void tasks.fetch(1);
    expect(tasks.state.details[1]).toEqual({ status: 'loading', entity: null });
    await gets[0]?.answer({ ...task(1), steps: ['a'] });
    void tasks.fetch(1);
    expect(gets).toHaveLength(2);
    expect(tasks.state.details[1]).toMatchObject({ status: 'refreshing', entity: { steps: ['a'] } });
    await gets[1]?.refuse(500);
    expect(tasks.state.details[1]).toMatchObject({ status: 'failed', entity: { steps: ['a'] } });
  });

  it.each([403, 404])('forgets everywhere what %i says is gone', async (status) => {
    const { tasks, lists, gets, list } = setup();
    void tasks.load('all');
    await lists[0]?.answer(pageOf([task(1), task(2)]));
    void tasks.fetch(1);
    await gets[0]?.refuse(status);
    expect(tasks.state.details[1]).toEqual({ status: 'gone', entity: null });
    expect(tasks.state.byId[1]).toBeUndefined();
    expect(list('all')).toMatchObject({ ids: [2], count: 1 });
  });

  it('stores what a change answered, in the list too', async () => {
    const { tasks, lists, names } = setup();
    void tasks.load('all');
    await lists[0]?.answer(pageOf([task(1)]));
    tasks.put({ ...task(1, 'Saved'), steps: [] });
    expect(names('all')).toEqual(['Saved']);
    expect(tasks.state.details[1]).toMatchObject({ status: 'ready', entity: { name: 'Saved' } });
    expect(tasks.patch(9, { name: 'Unknown' })).toBe(false);
  });

  it('does not let an answer undo a change that was made while it was on its way', async () => {
    const { tasks, gets } = setup();
    void tasks.fetch(1);
    tasks.put(task(1, 'Saved'));
    await gets[0]?.answer(task(1, 'Older'));
    expect(tasks.state.details[1]).toMatchObject({ status: 'ready', entity: { name: 'Saved' } });
  });
});

it('the same input keeps its key until it succeeded', () => {
  const keys = new AttemptKey();
  const first = keys.of({ name: 'a' });
  expect(keys.of({ name: 'a' })).toBe(first);
  expect(keys.of({ name: 'b' })).not.toBe(first);
  const again = keys.of({ name: 'a' });
  keys.done();
  expect(keys.of({ name: 'a' })).not.toBe(again);
});
