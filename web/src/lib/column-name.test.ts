import { describe, expect, it } from 'vitest';
import { columnLabel, dictionaryEntries } from './column-name';

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

describe('dictionaryEntries', () => {
  it('reads what each line says of a column, and leaves other lines', () => {
    const entries = dictionaryEntries('Day: when it was ordered\nabout the shops\nurl: such as http://x');
    expect([...entries]).toEqual([
      ['day', 'when it was ordered'],
      ['url', 'such as http://x'],
    ]);
  });
});
