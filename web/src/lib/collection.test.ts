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

/** A call that the test answers when it wants to. */
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

  it('keeps what is shown where a refetch fails, and offers another try', async () => {
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

  it('goes back a page where the last one has become empty', async () => {
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

  it('does not let an answer undo what was changed, or bring back what was forgotten, since it was asked for', async () => {
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
  it('shares a call, and keeps what is held while it is fetched again', async () => {
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

  it('holds what a change answered, in the list too', async () => {
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
