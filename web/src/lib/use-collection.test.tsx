import { act, render, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ApiError } from '@/api/errors';
import { Collection } from './collection';
import { useEntity, useList } from './use-collection';
import type { Page } from './wire';

interface Thing {
  id: number;
  name: string;
}

type Answer = (things: Thing[] | Error) => Promise<void>;

function setup() {
  const answers: Record<string, Answer> = {};
  const things = new Collection<Thing, string>({
    list: (query) =>
      new Promise<Page<Thing>>((resolve, reject) => {
        answers[query] = async (results) => {
          await act(async () => {
            if (results instanceof Error) reject(results);
            else resolve({ results, pagination: { count: results.length, next: null, previous: null } });
            await Promise.resolve();
          });
        };
      }),
    get: (id) => Promise.resolve({ id: Number(id), name: `Thing ${id}` }),
  });
  function List({ query }: { query: string }) {
    const { items, status, count } = useList(things, query);
    return <p>{`${status} ${count}: ${items.map(({ name }) => name).join(', ')}`}</p>;
  }
  function One({ id }: { id: number }) {
    const { status, entity } = useEntity(things, id);
    return <p>{`${status} ${entity?.name ?? ''}`}</p>;
  }
  return { things, answers, List, One };
}

/** Waits for the text of the page: a change is rendered a moment later. */
const says = (text: string) =>
  screen.findByText((_, element) => element?.tagName === 'P' && element.textContent === text);

it('shows what was there until the first page of another query has come', async () => {
  const { answers, List } = setup();
  const { rerender } = render(<List query="a" />);
  await says('fetching 0: ');
  await answers['a']?.([{ id: 1, name: 'One' }]);
  await says('fetched 1: One');
  rerender(<List query="b" />);
  await says('updating 1: One');
  await answers['b']?.([]);
  await says('fetched 0: ');
});

it('fetches a list again that something has changed in, and does not repeat a failed one by itself', async () => {
  const { things, answers, List } = setup();
  render(<List query="a" />);
  await answers['a']?.([]);
  await says('fetched 0: ');
  act(() => things.put({ id: 2, name: 'Two' }));
  await says('updating 0: ');
  await answers['a']?.([{ id: 2, name: 'Two' }]);
  await says('fetched 1: Two');
  delete answers['a'];
  act(() => void things.refresh('a'));
  await says('updating 1: Two');
  await answers['a']?.(new ApiError(500, 'I500', 'broken'));
  delete answers['a'];
  await says('failed 1: Two');
  expect(answers['a']).toBeUndefined();
});

it('fetches one entity when it is first shown', async () => {
  const { One } = setup();
  render(<One id={7} />);
  await says('loading ');
  expect(await screen.findByText('ready Thing 7')).toBeInTheDocument();
});
