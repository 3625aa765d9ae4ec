import { describe, expect, it } from 'vitest';
import { columnHeading, columnLabel, dictionaryEntries } from './column-name';

describe('columnLabel', () => {
  it.each([
    ['net_sales', 'Net sales'],
    ['Order Date', 'Order Date'],
    ['customer_ID', 'Customer ID'],
    ['URL', 'URL'],
    ['order_id', 'Order ID'],
    ['sku', 'SKU'],
    ['größe_cm', 'Größe cm'],
    ['_', '_'],
  ])('writes %s as %s', (name, label) => expect(columnLabel(name)).toBe(label));
});

describe('columnHeading', () => {
  it.each([
    ['n_2023', '2023', '2023', ''],
    ['bestell_nr', 'Bestell-Nr, mostly numbers, kept as text', 'Bestell-Nr', 'mostly numbers, kept as text'],
    ['temp_c_c', 'Temp C (°C)', 'Temp C (°C)', ''],
    ['kwh_used', 'kWh used', 'kWh used', ''],
    ['price', 'Price, in $', 'Price', 'in $'],
    ['column_3', '%', '%', ''],
    ['net_sales', '', 'Net sales', ''],
    ['day', 'read as day/month/year', 'Day', 'read as day/month/year'],
    ['amount_2', 'Amount', 'Amount 2', 'Amount'],
  ])('shows %s, described as “%s”, as %s', (name, description, label, note) =>
    expect(columnHeading(name, description)).toEqual({ label, note }),
  );
});

describe('dictionaryEntries', () => {
  it('reads what each line says of a column, and leaves other lines', () => {
    const entries = dictionaryEntries('Day: when it was ordered\nabout the shops\nurl: such as http://x');
    expect([...entries]).toEqual([
      ['day', 'when it was ordered'],
      ['url', 'such as http://x'],
    ]);
  });
});
