import { describe, expect, it } from 'vitest';
import {
  columnChart,
  comparedYearsChart,
  manyProductsChart,
  openQuarterChart,
  sharesChart,
} from '@/testing/fixtures/components';
import { arrangeChart } from './arrange';
import { categoryOrder } from './category-order';
import type { ChartModel } from './chart-model';
import { parseChartConfig } from './parse-chart-config';

function modelOf(config: unknown): ChartModel {
  const parsed = parseChartConfig(config);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.chart;
}

function namesOf(config: unknown, showAll = false): readonly string[] {
  return arrangeChart(modelOf(config), showAll).chart.xAxis.categories ?? [];
}

describe('arrangeChart', () => {
  it('shows the fifteen biggest and the sum of the others', () => {
    const { chart, foldable, hidden } = arrangeChart(modelOf(manyProductsChart), false);
    expect(chart.xAxis.categories).toHaveLength(16);
    expect(chart.xAxis.categories?.at(-1)).toBe('12 others');
    const all = modelOf(manyProductsChart).series[0]?.points.reduce((sum, { y }) => sum + (y ?? 0), 0) ?? 0;
    const drawn = chart.series[0]?.points.reduce((sum, { y }) => sum + (y ?? 0), 0) ?? 0;
    expect(drawn).toBeCloseTo(all, 6);
    expect([foldable, hidden]).toEqual([27, 0]);
  });

  it('does not draw the others where they would press the bars together, but counts them and adds them up', () => {
    const { xAxis, parley } = manyProductsChart;
    // Forty-five of half a bar each, after fifteen of one.
    const data = Array.from({ length: 60 }, (_, place) => (place < 15 ? 200 : 100));
    const categories = data.map((_, place) => `Product number ${place + 1}`);
    const config = {
      ...manyProductsChart,
      xAxis: { ...xAxis, categories },
      series: [{ name: 'Total net sales', column: 'total_net_sales', data }],
    };
    const folded = arrangeChart(modelOf(config), false);
    expect(folded.chart.xAxis.categories).toEqual(categories.slice(0, 15));
    expect(folded.chart.series[0]?.points.map(({ y }) => y)).toEqual(data.slice(0, 15));
    expect(folded).toMatchObject({ foldable: 60, hidden: 0, rest: { count: 45, sums: [4500] } });
    expect(arrangeChart(modelOf(config), true)).toMatchObject({ foldable: 60, rest: null });

    // Of one and a half times the largest bar they are still drawn, and of more they are not.
    const small = data.map((value) => (value < 200 ? value / 2 : value));
    const first = (count: number) =>
      arrangeChart(
        modelOf({
          ...config,
          xAxis: { ...xAxis, categories: categories.slice(0, count) },
          series: [{ ...config.series[0], data: small.slice(0, count) }],
        }),
        false,
      );
    expect(first(21).chart.xAxis.categories?.at(-1)).toBe('6 others');
    expect(first(21).rest).toBeNull();
    expect(first(22).rest).toEqual({ count: 7, sums: [350] });
    // In stacked bars the whole bars are compared: two series whose others exceed one and a half times a bar together.
    const two = [
      { ...config.series[0], name: 'a', data: data.map((value) => value / 2) },
      { ...config.series[0], name: 'b', data: data.map((value) => value / 2) },
    ];
    const stacked = {
      ...config,
      series: two,
      plotOptions: { bar: { stacking: 'normal' } },
      parley: { columns: parley.columns },
    };
    expect(arrangeChart(modelOf(stacked), false).rest).toEqual({ count: 45, sums: [2250, 2250] });
    const shares = { ...stacked, plotOptions: { bar: { stacking: 'percent' } } };
    expect(arrangeChart(modelOf(shares), false).rest).toBeNull();
  });

  it('shows up to twenty whole, as when the twenty largest were asked for', () => {
    const named = (count: number) => ({
      ...columnChart,
      xAxis: { categories: Array.from({ length: count }, (_, place) => `Product line ${place + 1}`) },
      series: [{ data: Array.from({ length: count }, (_, place) => 100 - place) }],
    });
    expect(namesOf(named(20))).toHaveLength(20);
    expect(namesOf(named(21))).toHaveLength(15);
  });

  it('shows all of them when asked to', () => {
    expect(namesOf(manyProductsChart, true)).toHaveLength(27);
  });

  it('adds up nothing that does not add up', () => {
    const [product, sales] = manyProductsChart.parley.columns;
    const config = {
      ...manyProductsChart,
      parley: { ...manyProductsChart.parley, columns: [product, { ...sales, adds: false }] },
    };
    const { chart, hidden } = arrangeChart(modelOf(config), false);
    expect(chart.xAxis.categories).toHaveLength(15);
    expect(hidden).toBe(12);
  });

  it('lays columns down when names are long or many', () => {
    const long = {
      ...columnChart,
      xAxis: { categories: ['A rather long name', 'b', 'c'] },
      series: [{ data: [3, 2, 1] }],
    };
    expect(arrangeChart(modelOf(long), false).chart.type).toBe('bar');
    const stacked = { ...long, plotOptions: { column: { stacking: 'normal' } } };
    expect(arrangeChart(modelOf(stacked), false).chart).toMatchObject({ type: 'bar', stacking: 'normal' });
    const short = { ...columnChart, xAxis: { categories: ['x', 'b', 'c'] }, series: [{ data: [3, 2, 1] }] };
    expect(arrangeChart(modelOf(short), false).chart.type).toBe('column');
    expect(arrangeChart(modelOf(openQuarterChart), false).chart.type).toBe('column');
    // None of them is long, but all of them together do not fit below the columns.
    const groups = [
      'Accessories',
      'Backpacks',
      'Climbing',
      'Clothing',
      'Footwear',
      'Jackets',
      'Kayaks',
      'Tents',
    ];
    const full = { ...columnChart, xAxis: { categories: groups }, series: [{ data: groups.map(() => 1) }] };
    expect(arrangeChart(modelOf(full), false).chart.type).toBe('bar');
  });

  it('keeps a pair of years for each region, in the order of the language', () => {
    const { chart } = arrangeChart(modelOf(comparedYearsChart), false);
    expect(chart.xAxis.categories).toEqual(['Nord', 'Ost', 'Österreich', 'Süd', 'West', 'Zürich']);
    expect(chart.series.map(({ name, points }) => [name, points[2]?.y])).toEqual([
      ['2024', 102_110],
      ['2025', 120_263],
    ]);
  });

  it('puts days of the week in their order', () => {
    expect(namesOf(sharesChart).slice(0, 3)).toEqual(['Monday', 'Tuesday', 'Wednesday']);
  });

  it('puts what has no value last: after values, after days, and after the others', () => {
    const empty = { parley: { empty: '(empty)' } };
    const by = (categories: string[], data: number[], more: object = empty) =>
      namesOf({ ...columnChart, xAxis: { categories }, series: [{ data }], ...more });
    expect(by(['(empty)', 'b', 'a'], [9, 3, 1])).toEqual(['b', 'a', '(empty)']);
    expect(by(['Friday', '(empty)', 'Monday'], [1, 9, 3])).toEqual(['Monday', 'Friday', '(empty)']);
    // If it is a value of the data, it is sorted like any other.
    expect(by(['(empty)', 'b', 'a'], [9, 3, 1], {})).toEqual(['(empty)', 'b', 'a']);

    const { xAxis, series, parley } = manyProductsChart;
    const [first] = series;
    const config = {
      ...manyProductsChart,
      xAxis: { ...xAxis, categories: ['(empty)', ...xAxis.categories.slice(1)] },
      parley: { ...parley, ...empty.parley },
    };
    const { chart } = arrangeChart(modelOf(config), false);
    expect(chart.xAxis.categories?.slice(-2)).toEqual(['11 others', '(empty)']);
    expect(chart.series[0]?.points.at(-1)?.y).toBe(first?.data[0]);
    const averages = parley.columns.map((column) => ({ ...column, adds: false }));
    expect(namesOf({ ...config, parley: { ...config.parley, columns: averages } }).at(-1)).toBe('(empty)');
    expect(namesOf(config, true).at(-1)).toBe('(empty)');
  });

  it('keeps points under the names that they bring along', () => {
    const config = {
      type: 'bar',
      xAxis: { type: 'category' },
      series: [
        {
          name: 'a',
          data: [
            { name: 'x', y: 1 },
            { name: 'y', y: 2 },
          ],
        },
        { name: 'b', data: [{ name: 'y', y: 4 }] },
      ],
    };
    const { chart } = arrangeChart(modelOf(config), false);
    expect(chart.xAxis.categories).toEqual(['x', 'y']);
    expect(chart.series[1]?.points.map(({ y }) => y)).toEqual([null, 4]);
  });
});

describe('categoryOrder', () => {
  function sorted(names: string[], values: number[], locale = 'de'): string[] {
    return categoryOrder(names, values, locale).map((place) => names[place] ?? '');
  }

  it.each([
    ['days in German', ['Freitag', 'Montag', 'Samstag'], ['Montag', 'Freitag', 'Samstag']],
    ['short months', ['Apr', 'Feb', 'Jan'], ['Jan', 'Feb', 'Apr']],
    ['sizes', ['L', 'M', 'S', 'XL', 'XS'], ['XS', 'S', 'M', 'L', 'XL']],
    ['ages', ['18-24', '25-34', '65+', 'under 18'], ['under 18', '18-24', '25-34', '65+']],
    ['numbers', ['10', '2', '33'], ['2', '10', '33']],
  ])('knows %s', (_, names, expected) => {
    expect(sorted(names, [2, 1, 3, 0, 5].slice(0, names.length))).toEqual(expected);
  });

  it('keeps the order of the values', () => {
    expect(sorted(['Zürich', 'Bern', 'Österreich'], [30, 20, 10])).toEqual(['Zürich', 'Bern', 'Österreich']);
  });

  it('sorts names as the language does when the query sorted by name', () => {
    expect(sorted(['Bern', 'Zürich', 'Österreich'], [20, 30, 10])).toEqual(['Bern', 'Österreich', 'Zürich']);
  });

  it('leaves an order that somebody wanted', () => {
    expect(sorted(['new', 'active', 'lost'], [20, 30, 10])).toEqual(['new', 'active', 'lost']);
  });
});
