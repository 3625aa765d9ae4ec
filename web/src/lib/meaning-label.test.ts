import { describe, expect, it } from 'vitest';
import { meaningColumnOf, meaningTableOf } from '@/testing/fixtures/wire';
import { labelIn } from './meaning-label';

const table = meaningTableOf({
  columns: [
    meaningColumnOf('umsatznetto_eur', { label: 'Umsatz netto' }),
    meaningColumnOf('amount', { label: 'Amount' }),
    meaningColumnOf('amount_2', { label: 'Amount' }),
    meaningColumnOf('order_id', { label: '' }),
  ],
});

describe('labelIn', () => {
  it.each([
    ['umsatznetto_eur', 'Umsatz netto'],
    ['order_id', 'Order ID'],
    // Two columns that are called alike are told apart.
    ['amount', 'amount'],
    ['amount_2', 'amount_2'],
    ['gone_since', 'Gone since'],
  ])('writes %s as %s', (name, label) => expect(labelIn(table, name)).toBe(label));

  it('writes a column by its name while nothing is known of its table', () => {
    expect(labelIn(undefined, 'hire_date')).toBe('Hire date');
  });
});
