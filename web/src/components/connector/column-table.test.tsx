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
