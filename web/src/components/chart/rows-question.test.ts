import { describe, expect, it } from 'vitest';
import { manyProductsChart } from '@/testing/fixtures/components';
import { arrangeChart } from './arrange';
import { parseChartConfig } from './parse-chart-config';
import { rowsQuestion } from './rows-question';

const category = { name: 'region', label: 'Region', format: 'text', role: 'category' };
const time = (format: string) => ({ name: 'month', label: 'Month', format, role: 'time' });
const amount = { name: 'revenue', label: 'Revenue', format: 'money', role: 'measure', adds: true };

function questionOf(config: object, mark: { series: number | null; point: number }) {
  const parsed = parseChartConfig(config);
  if (!parsed.ok) throw new Error(parsed.reason);
  return rowsQuestion(parsed.chart, arrangeChart(parsed.chart, false).chart, mark)?.question ?? null;
}

function regions(more: object = {}, names = ['Tuesday', 'Monday']) {
  return {
    type: 'column',
    xAxis: { categories: names },
    series: [{ column: 'revenue', data: names.map((_, place) => place + 1) }],
    parley: { x: 'region', columns: [category, amount] },
    ...more,
  };
}

function times(format: string, data: [string, number][]) {
  return {
    type: 'line',
    xAxis: { type: 'datetime' },
    series: [{ column: 'revenue', data }],
    parley: { x: 'month', columns: [time(format), amount] },
  };
}

describe('rowsQuestion', () => {
  it('names the bar that is drawn at a place, whatever its place in the data', () => {
    // Monday is drawn first.
    expect(questionOf(regions(), { series: 0, point: 0 })).toBe(
      'Of those, show the rows where region is “Monday”',
    );
    expect(questionOf(regions(), { series: null, point: 1 })).toBe(
      'Of those, show the rows where region is “Tuesday”',
    );
  });

  it.each([
    ['month', '2025-03', 'March 2025'],
    ['quarter', '2025-04', 'Q2 2025'],
    ['year', '2025', '2025'],
    ['date', '2025-03-04', '2025-03-04'],
  ])('names a %s', (format, first, said) => {
    const at = first.length === 4 ? `${first}-01-01` : first.length === 7 ? `${first}-01` : first;
    expect(questionOf(times(format, [[at, 1]]), { series: 0, point: 0 })).toBe(
      `Of those, show the rows of ${said}`,
    );
    const asCategories = {
      ...regions({}, [first, '2026-01']),
      parley: { x: 'month', columns: [time(format), amount] },
    };
    expect(questionOf(asCategories, { series: 0, point: 0 })).toBe(`Of those, show the rows of ${said}`);
  });

  it('names the series if a column splits them, and not for the whole place', () => {
    const product = { name: 'product', label: 'Product', format: 'text', role: 'category' };
    const config = {
      ...times('month', [['2025-03-01', 1]]),
      series: ['Desk Lamp', 'Chair'].map((name) => ({ name, column: 'revenue', data: [['2025-03-01', 1]] })),
      parley: { x: 'month', split: 'product', columns: [time('month'), product, amount] },
    };
    expect(questionOf(config, { series: 1, point: 0 })).toBe(
      'Of those, show the rows of March 2025 where product is “Chair”',
    );
    expect(questionOf(config, { series: null, point: 0 })).toBe('Of those, show the rows of March 2025');
  });

  it('names a slice', () => {
    const config = {
      type: 'pie',
      series: [
        {
          column: 'revenue',
          data: [
            { name: 'North', y: 1 },
            { name: 'South', y: 2 },
          ],
        },
      ],
      parley: { x: 'region', columns: [category, amount] },
    };
    expect(questionOf(config, { series: 0, point: 1 })).toBe(
      'Of those, show the rows where region is “South”',
    );
  });

  it('asks with the whole name that the data have', () => {
    const config = regions({
      parley: { x: 'region', columns: [category, amount], exact: [['Tuesday', 'Tuesday of the week']] },
    });
    expect(questionOf(config, { series: 0, point: 1 })).toBe(
      'Of those, show the rows where region is “Tuesday of the week”',
    );
  });

  it('has no question for what has no name', () => {
    const week = times('week', [['2025-03-03', 1]]);
    expect(questionOf(week, { series: 0, point: 0 })).toBeNull();
    expect(questionOf(regions({ parley: {} }), { series: 0, point: 0 })).toBeNull();
    expect(questionOf(regions({}, ['a “b”', 'c']), { series: 0, point: 0 })).toBeNull();
    expect(questionOf(regions(), { series: 0, point: 7 })).toBeNull();
    const empty = regions({ parley: { x: 'region', columns: [category, amount], empty: 'Tuesday' } });
    expect(questionOf(empty, { series: 0, point: 1 })).toBeNull();
    // The last bar of this one is the others together.
    const many = {
      ...manyProductsChart,
      parley: { ...manyProductsChart.parley, x: 'region', columns: [category] },
    };
    expect(questionOf(many, { series: 0, point: 0 })).not.toBeNull();
    expect(questionOf(many, { series: 0, point: 15 })).toBeNull();
  });

  it('has no question for two times', () => {
    const config = {
      ...regions({}, ['2025-01', '2025-02']),
      series: ['2024', '2025'].map((name) => ({ name, column: 'revenue', data: [1, 2] })),
      parley: {
        x: 'month',
        split: 'year',
        columns: [time('month'), { ...time('year'), name: 'year' }, amount],
      },
    };
    expect(questionOf(config, { series: 0, point: 0 })).toBeNull();
    expect(questionOf(config, { series: null, point: 0 })).toBe('Of those, show the rows of January 2025');
  });
});
