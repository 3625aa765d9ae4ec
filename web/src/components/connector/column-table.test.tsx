import { Theme } from '@radix-ui/themes';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ColumnTable } from './column-table';

function show(descriptions: readonly string[], dictionary = ''): void {
  const columns = descriptions.map((description, place) => ({
    name: `column_${place}`,
    type: 'text' as const,
    description,
  }));
  render(
    <Theme>
      <ColumnTable name="Orders" columns={columns} rows={3} dictionary={dictionary} />
    </Theme>,
  );
}

it('has a column of meanings only if one is known', () => {
  show(['', '']);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).not.toContain('Means');
});

it.each([
  ['the description', ['', 'Pieces sold.'], ''],
  ['the data dictionary', ['', ''], 'column_1: Pieces sold.'],
])('takes a meaning from %s', (_, descriptions, dictionary) => {
  show(descriptions, dictionary);
  expect(screen.getByRole('columnheader', { name: 'Means' })).toBeVisible();
  expect(screen.getByRole('cell', { name: 'Pieces sold.' })).toBeVisible();
});

it.each([
  ['24', '943.9', '24.0 – 943.9'],
  ['14.5', '5211.36', '14.50 – 5,211.36'],
  ['0.125', '3', '0.13 – 3.00'],
  ['1', '19', '1 – 19'],
])('writes the ends of a range alike: %s and %s', (min, max, range) => {
  expect(examplesCell('number', min, max, [])).toHaveTextContent(range);
});

it.each([
  ['false', 'true', [], 'no, yes'],
  ['true', 'true', [], 'yes'],
  ['', '', ['true', 'false'], 'no, yes'],
])('writes truths as words: %s, %s, %j', (min, max, examples, words) => {
  expect(examplesCell('boolean', min, max, examples)).toHaveTextContent(words);
});

it.each([
  ['Jahr', '2023', '2025', '2023 – 2025'],
  ['account_id', '10001', '98231', '10001 – 98231'],
  ['population', '10001', '98231', '10,001 – 98,231'],
])('does not group the digits of what is a name: %s', (name, min, max, range) => {
  expect(examplesCell('number', min, max, [], name)).toHaveTextContent(range);
});

it('has a dash where nothing is known of the values', () => {
  show(['']);
  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['text', '–', '–']);
});

it('shows twenty columns at first, and all when asked', async () => {
  show(Array.from({ length: 60 }, () => ''));
  expect(screen.getAllByRole('rowheader')).toHaveLength(20);
  await userEvent.click(screen.getByRole('button', { name: 'Show all 60 columns' }));
  expect(screen.getAllByRole('rowheader')).toHaveLength(60);
  expect(screen.queryByRole('button', { name: /Show all/u })).toBeNull();
});

/** The cell with the examples of a column of such values. */
function examplesCell(
  type: 'number' | 'boolean',
  min: string,
  max: string,
  examples: string[],
  name = 'price',
): HTMLElement {
  const values = { empty: 0, min, max, examples };
  render(
    <Theme>
      <ColumnTable name="Orders" columns={[{ name, type, description: '', values }]} rows={3} dictionary="" />
    </Theme>,
  );
  const cell = screen.getAllByRole('cell').at(-1);
  if (cell === undefined) throw new Error('there is no cell');
  return cell;
}
