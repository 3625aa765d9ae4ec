import { Theme } from '@radix-ui/themes';
import { render, screen } from '@testing-library/react';
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

/** The cell with the examples of a column of such values. */
function examplesCell(type: 'number' | 'boolean', min: string, max: string, examples: string[]): HTMLElement {
  const values = { empty: 0, min, max, examples };
  render(
    <Theme>
      <ColumnTable
        name="Orders"
        columns={[{ name: 'price', type, description: '', values }]}
        rows={3}
        dictionary=""
      />
    </Theme>,
  );
  const cell = screen.getAllByRole('cell').at(-1);
  if (cell === undefined) throw new Error('there is no cell');
  return cell;
}
