import { describe, expect, it } from 'vitest';
import { isoPeriod, periodFormat, timeOf } from './period';
import { quantityFormat, unitSign } from './quantity';

const euros = { format: 'money', unit: 'EUR' } as const;

describe('quantityFormat', () => {
  it.each([
    [999, '999'],
    [1000, '1k'],
    [1500, '1.5k'],
    [-2345, '-2.35k'],
    [999_999, '1M'],
    [1_234_567, '1.23M'],
    [2_000_000_000, '2bn'],
    [0.333_333, '0.33'],
    [0.0012, '0.0012'],
    [0, '0'],
    [-0, '0'],
  ])('shortens %s to %s', (value, text) => {
    expect(quantityFormat({ format: 'number' }, {}, 'en').short(value)).toBe(text);
  });

  it('shortens as the language does, with the currency in its place', () => {
    expect(quantityFormat(euros, {}, 'en').short(3_000_000)).toBe('€3M');
    expect(quantityFormat(euros, {}, 'de').short(3_000_000)).toBe('3 Mio.\u00a0€');
    expect(quantityFormat(euros, {}, 'de').short(1500)).toBe('1,5 Tsd.\u00a0€');
  });

  it.each([
    [euros, 1_754_310.3, '€1,754,310.30'],
    [euros, 12, '€12'],
    [euros, 0.001, '€0.001'],
    [{ format: 'money', unit: 'XX' }, 12, '12\u00a0XX'],
    [{ format: 'percent' }, 33.333_33, '33.33%'],
    [{ format: 'fraction' }, 0.139, '13.9%'],
    [{ format: 'number', unit: 'kg' }, 1200.5, '1,200.5\u00a0kg'],
    [{ format: 'plain' }, 100_234, '100234'],
    [{ format: 'count' }, 1200, '1,200'],
  ] as const)('writes %o of %s in full as %s', (kind, value, text) => {
    expect(quantityFormat(kind, {}, 'en').full(value)).toBe(text);
  });

  it('lines decimals up when a column asks for it', () => {
    const { full } = quantityFormat({ format: 'number' }, { decimals: 2 }, 'en');
    expect([1234.5, 0.0001, 0, -0.004].map(full)).toEqual(['1,234.50', '0.0001', '0.00', '-0.004']);
  });

  it('names a unit as its sign', () => {
    expect(unitSign(euros, 'en')).toBe('€');
    expect(unitSign({ format: 'number', unit: 'kg' }, 'en')).toBe('kg');
    expect(unitSign({ format: 'text' }, 'en')).toBe('');
  });
});

describe('periods', () => {
  it.each([
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2026-01', Date.UTC(2026, 0, 1)],
    ['2026-Q3', Date.UTC(2026, 6, 1)],
    ['2026 Q3', Date.UTC(2026, 6, 1)],
    ['2026', Date.UTC(2026, 0, 1)],
    ['2026-01-31 14:30:00', Date.UTC(2026, 0, 31, 14, 30)],
  ])('reads %s', (text, time) => {
    expect(timeOf(text)).toBe(time);
  });

  it.each(['', 'yesterday', '2026-13', '20', '2026-01-31 or later'])('does not read %j', (text) => {
    expect(timeOf(text)).toBeNull();
  });

  it('writes them for people and for programs', () => {
    const january = Date.UTC(2026, 0, 1);
    expect(periodFormat('month', 'en')(january)).toBe('Jan 2026');
    expect(periodFormat('quarter', 'en')(Date.UTC(2026, 9, 1))).toBe('Q4 2026');
    expect(periodFormat('year', 'en')(january)).toBe('2026');
    expect(periodFormat('date', 'en')(january)).toBe('Jan 1, 2026');
    expect(isoPeriod(Date.UTC(2026, 9, 1), 'quarter')).toBe('2026-Q4');
    expect(isoPeriod(january, 'month')).toBe('2026-01');
    expect(isoPeriod(january, 'timestamp')).toBe('2026-01-01');
  });
});
