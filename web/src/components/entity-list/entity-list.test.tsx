import { readFileSync } from 'node:fs';
import { fireEvent, screen, within } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { searchByName } from '@/lib/search';
import { renderPart } from '@/testing/render';
import { windowWidth } from '@/testing/window-width';
import type { EntityColumn, ListQuery } from './entity';
import { EntityList } from './entity-list';

interface Fruit {
  id: number;
  name: string;
  description: string;
  rows: number;
}

const fruits: Fruit[] = [
  { id: 1, name: 'Pears', description: 'From the north', rows: 30 },
  { id: 2, name: 'Apples', description: 'From the south', rows: 200 },
  { id: 3, name: 'Quinces', description: 'Seldom', rows: 4 },
];

const columns: EntityColumn<Fruit>[] = [
  { id: 'name', label: 'Name', cell: (fruit) => fruit.name, sort: (a, b) => a.name.localeCompare(b.name) },
  { id: 'description', label: 'Description', cell: (fruit) => fruit.description },
  { id: 'rows', label: 'Rows', align: 'end', cell: (fruit) => fruit.rows, sort: (a, b) => a.rows - b.rows },
];

const words = {
  list: 'Fruits',
  search: 'Search fruits',
  count: (count: number) => `${count} fruits`,
  none: 'No fruits',
  loading: 'Loading fruits',
  failed: 'The fruits could not be loaded',
};

type Given = Partial<Parameters<typeof EntityList<Fruit>>[0]>;

function setup(given: Given = {}, first: Partial<ListQuery> = {}) {
  const onRetry = vi.fn();
  const opened = vi.fn<(id: number) => void>();
  function Page() {
    const [query, setQuery] = useState<ListQuery>({
      segment: 'all',
      project: null,
      search: '',
      view: 'card',
      sort: null,
      ...first,
    });
    return (
      <EntityList<Fruit>
        words={words}
        items={searchByName(given.items ?? fruits, query.search)}
        status="fetched"
        query={query}
        onQuery={(changes) => setQuery((now) => ({ ...now, ...changes }))}
        segments={[
          { value: 'all', label: 'All' },
          { value: 'favorite', label: 'Favorite' },
        ]}
        projects={[{ id: 7, name: 'Harvest', color: 'Olive Green' }]}
        card={(fruit) => ({ icon: '*', description: fruit.description, facts: [`${fruit.rows} rows`, ''] })}
        columns={columns}
        open={(fruit) => ({ onOpen: () => opened(fruit.id) })}
        empty={{ icon: '*', text: 'Plant a tree to have some.', action: <button>Plant</button> }}
        onRetry={onRetry}
        {...given}
        {...(given.items && { items: searchByName(given.items, query.search) })}
      />
    );
  }
  return { ...renderPart(<Page />), onRetry, opened };
}

const names = () => screen.getAllByRole('article').map((card) => card.getAttribute('aria-label'));

describe('EntityList', () => {
  it('has three columns of cards, and six when there is much room', () => {
    // Nothing has a size in jsdom: the test reads the CSS rules.
    const sheet = readFileSync('src/components/entity-list/entity-grid.module.css', 'utf8');
    const columns = [...sheet.matchAll(/\(min-width: (\d+)px\) \{\s*\.grid \{[^}]*repeat\((\d)/gu)];
    expect(columns.map(([, width, count]) => [Number(width), Number(count)])).toEqual([
      [520, 2],
      [780, 3],
      [1500, 6],
    ]);
    expect(sheet).toMatch(/\.grid\[data-wide='true'\] \{[^}]*repeat\(3/u);
  });

  it('shows each entity as a card that opens it, and how many there are', async () => {
    const { user, opened } = setup();
    expect(names()).toEqual(['Pears', 'Apples', 'Quinces']);
    expect(screen.getByText('3 fruits')).toBeVisible();
    const card = screen.getByRole('article', { name: 'Apples' });
    expect(within(card).getByText('From the south')).toBeVisible();
    expect(within(card).getByText('200 rows')).toBeVisible();
    await user.click(within(card).getByRole('button', { name: 'Apples' }));
    expect(opened).toHaveBeenCalledExactlyOnceWith(2);
  });

  it('shows the card that makes a new one first', async () => {
    const onAdd = vi.fn();
    const { user } = setup({ add: { label: 'Add fruit', onAdd } });
    const first = screen.getAllByRole('listitem')[0]!;
    await user.click(within(first).getByRole('button', { name: 'Add fruit' }));
    expect(onAdd).toHaveBeenCalledOnce();
  });

  it('makes a new one from a row above the list on a phone, where a card fills the width', async () => {
    windowWidth(390);
    const onAdd = vi.fn();
    const { user } = setup({ add: { label: 'Add fruit', onAdd } });
    expect(screen.getAllByRole('listitem')).toHaveLength(fruits.length);
    const add = screen.getByRole('button', { name: 'Add fruit' });
    expect(add.compareDocumentPosition(screen.getByRole('list', { name: 'Fruits' }))).toBe(
      Node.DOCUMENT_POSITION_FOLLOWING,
    );
    // Nothing has a size in jsdom: the test reads the CSS rule.
    expect(add).toHaveAttribute('data-compact');
    const sheet = readFileSync('src/components/entity-list/add-card.module.css', 'utf8');
    expect(/\.add\[data-compact\] \{[^}]*min-height: 56px/u.test(sheet)).toBe(true);
    await user.click(add);
    expect(onAdd).toHaveBeenCalledOnce();
  });

  it('says why a new one cannot be made', () => {
    setup({ add: { label: 'Add fruit', onAdd: vi.fn(), disabledReason: 'Only in spring' } });
    expect(screen.getByRole('button', { name: /Add fruit.*Only in spring/u })).toBeDisabled();
  });

  it('shows Found and the count of a search, and offers what it finds by name', async () => {
    const { user, opened } = setup();
    const search = screen.getByRole('combobox', { name: 'Search fruits' });
    await user.type(search, 'pple');
    expect(screen.getByText('Found: 1')).toBeVisible();
    expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Apples']);
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('option', { name: 'Apples' })).toHaveAttribute('aria-selected', 'true');
    await user.keyboard('{Enter}');
    expect(opened).toHaveBeenCalledExactlyOnceWith(2);
  });

  it('closes the offers by Escape, and takes the words back by another', async () => {
    const { user } = setup();
    const search = screen.getByRole('combobox', { name: 'Search fruits' });
    await user.type(search, 'p');
    expect(screen.getByRole('listbox')).toBeVisible();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('listbox')).not.toBeInTheDocument();
    expect(search).toHaveValue('p');
    await user.keyboard('{Escape}');
    expect(search).toHaveValue('');
  });

  it('says that nothing was found, what was asked for, and takes it back', async () => {
    const { user } = setup({}, { segment: 'favorite', project: 7, search: 'plum' });
    expect(screen.getByText('No results found. Change search request and try again')).toBeVisible();
    expect(screen.getByText('Asked for: “plum”, in Harvest, under Favorite')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Clear search and filters' }));
    expect(names()).toHaveLength(3);
    expect(screen.getByRole('radio', { name: 'All' })).toBeChecked();
  });

  it('says the same in the offers of the search', async () => {
    const { user } = setup();
    await user.type(screen.getByRole('combobox', { name: 'Search fruits' }), 'plum');
    expect(screen.getAllByText('No results found. Change search request and try again')).toHaveLength(2);
  });

  it('says what to do next when there is nothing', () => {
    setup({ items: [] });
    expect(screen.getByRole('heading', { name: 'No fruits' })).toBeVisible();
    expect(screen.getByText('Plant a tree to have some.')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Plant' })).toBeVisible();
  });

  it('takes the place of the cards while the first of them load', () => {
    setup({ items: [], status: 'fetching' });
    expect(screen.getByRole('status', { name: 'Loading fruits' })).toBeVisible();
    expect(screen.queryByText('0 fruits')).toBeNull();
    expect(screen.queryByText('No fruits')).not.toBeInTheDocument();
  });

  it('offers to try again when the list could not be loaded', async () => {
    const { user, onRetry } = setup({ items: [], status: 'failed' });
    expect(screen.getByRole('heading', { name: 'The fruits could not be loaded' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(onRetry).toHaveBeenCalledOnce();
  });

  it('keeps what is shown if it could not be refreshed', () => {
    setup({ status: 'failed' });
    expect(screen.getByRole('alert')).toHaveTextContent('This list could not be refreshed.');
    expect(names()).toHaveLength(3);
  });

  it('changes to a table, and sorts it by a heading, the other way round, and not at all', async () => {
    const { user } = setup();
    await user.click(screen.getByRole('radio', { name: 'List' }));
    const rowNames = () => screen.getAllByRole('rowheader').map((cell) => cell.textContent);
    expect(rowNames()).toEqual(['Pears', 'Apples', 'Quinces']);
    const heading = screen.getByRole('columnheader', { name: 'Rows' });
    await user.click(within(heading).getByRole('button'));
    expect(rowNames()).toEqual(['Quinces', 'Pears', 'Apples']);
    expect(heading).toHaveAttribute('aria-sort', 'ascending');
    await user.click(within(heading).getByRole('button'));
    expect(rowNames()).toEqual(['Apples', 'Pears', 'Quinces']);
    await user.click(within(heading).getByRole('button'));
    expect(rowNames()).toEqual(['Pears', 'Apples', 'Quinces']);
  });

  it('carries the focus from row to row by the arrow keys', async () => {
    const { user } = setup({}, { view: 'list' });
    screen.getByRole('button', { name: 'Pears' }).focus();
    await user.keyboard('{ArrowDown}');
    expect(screen.getByRole('button', { name: 'Apples' })).toHaveFocus();
    await user.keyboard('{ArrowUp}');
    expect(screen.getByRole('button', { name: 'Pears' })).toHaveFocus();
  });

  it('chooses instead of opening, and leaves what is disabled or locked', async () => {
    const onToggle = vi.fn();
    const { user, opened } = setup({ selection: { selected: [1, 3], locked: [3], disabled: [2], onToggle } });
    expect(screen.getByRole('button', { name: 'Pears' })).toHaveAttribute('aria-pressed', 'true');
    expect(screen.getByRole('button', { name: 'Apples' })).toHaveAttribute('aria-disabled', 'true');
    expect(screen.getByRole('button', { name: 'Quinces' })).toHaveAttribute('aria-disabled', 'true');
    await user.click(screen.getByRole('button', { name: 'Pears' }));
    expect(onToggle).toHaveBeenCalledExactlyOnceWith(1);
    expect(opened).not.toHaveBeenCalled();
  });

  it('chooses in the table by boxes, and by circles when only one can be', async () => {
    const onToggle = vi.fn();
    const { user } = setup({ selection: { selected: [1], locked: [1], onToggle } }, { view: 'list' });
    expect(screen.getByRole('checkbox', { name: 'Choose Pears' })).toBeDisabled();
    await user.click(screen.getByRole('checkbox', { name: 'Choose Apples' }));
    expect(onToggle).toHaveBeenCalledExactlyOnceWith(2);
    setup({ selection: { selected: [1], single: true, onToggle } }, { view: 'list' });
    expect(screen.getByRole('radio', { name: 'Choose Pears' })).toBeChecked();
  });

  it('chooses by a press anywhere in a row, as on a card', async () => {
    const onToggle = vi.fn();
    const { user } = setup(
      {
        selection: { selected: [1], locked: [1], disabled: [3], onToggle },
        actions: (fruit) => <button>Peel {fruit.name}</button>,
      },
      { view: 'list' },
    );
    await user.click(screen.getByText('Apples'));
    await user.click(screen.getByRole('cell', { name: 'From the south' }));
    expect(onToggle.mock.calls).toEqual([[2], [2]]);
    // The checkbox itself reacts once, a fixed row not at all, and a button of the row does its own action.
    await user.click(screen.getByRole('checkbox', { name: 'Choose Apples' }));
    await user.click(screen.getByText('Pears'));
    await user.click(screen.getByRole('cell', { name: 'Seldom' }));
    await user.click(screen.getByRole('button', { name: 'Peel Apples' }));
    expect(onToggle.mock.calls).toEqual([[2], [2], [2]]);
  });

  it('chooses the one of several by a press anywhere in its row', async () => {
    const onToggle = vi.fn();
    const { user } = setup({ selection: { selected: [1], single: true, onToggle } }, { view: 'list' });
    await user.click(screen.getByRole('cell', { name: 'Seldom' }));
    expect(onToggle).toHaveBeenCalledExactlyOnceWith(3);
  });

  it('opens by a press anywhere in a row, but not where words were marked', async () => {
    const { user, opened } = setup({}, { view: 'list' });
    await user.click(screen.getByRole('cell', { name: 'From the south' }));
    expect(opened).toHaveBeenCalledExactlyOnceWith(2);
    window.getSelection()?.selectAllChildren(screen.getByText('Seldom'));
    fireEvent.click(screen.getByText('Seldom'));
    expect(opened).toHaveBeenCalledOnce();
  });

  it('shows more by a press, and goes from page to page', async () => {
    const onMore = vi.fn();
    const onPage = vi.fn();
    const { user } = setup({
      count: 25,
      more: { loading: false, onMore },
      pages: { page: 2, size: 10, onPage },
    });
    await user.click(screen.getByRole('button', { name: 'Show more' }));
    expect(onMore).toHaveBeenCalledOnce();
    expect(screen.getByText('11–20 of 25')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next page' }));
    await user.click(screen.getByRole('button', { name: 'Previous page' }));
    expect(onPage.mock.calls).toEqual([[3], [1]]);
  });

  it('draws the first fifteen of many', () => {
    const many = Array.from({ length: 600 }, (_, place) => ({
      id: place,
      name: `Fruit ${place}`,
      description: '',
      rows: place,
    }));
    setup({ items: many });
    expect(screen.getAllByRole('article')).toHaveLength(15);
    expect(screen.getByText('600 fruits')).toBeVisible();
  });
});
