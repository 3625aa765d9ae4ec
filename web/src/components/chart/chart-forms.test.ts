import { describe, expect, it } from 'vitest';
import { columnChart, comparedYearsChart, lineChart, pieChart } from '@/testing/fixtures/components';
import { arrangeChart } from './arrange';
import { formOf, formsOf, inForm } from './chart-forms';
import { chartTable } from './chart-data';
import { parseChartConfig } from './parse-chart-config';

const amount = { name: 'revenue', label: 'Revenue', format: 'money', role: 'measure', adds: true };
const price = { ...amount, name: 'price', adds: false };

function modelOf(config: object) {
  const parsed = parseChartConfig(config);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.chart;
}

function regions(columns: readonly string[], data = [3, 2, 1]) {
  return modelOf({
    type: 'column',
    xAxis: { categories: ['North', 'South', 'West'] },
    series: columns.map((column) => ({ name: column, column, data })),
    parley: { columns: [amount, price] },
  });
}

describe('formsOf', () => {
  it.each([
    ['amounts of regions', regions(['revenue']), ['column', 'bar', 'pie']],
    ['several amounts', regions(['revenue', 'revenue']), ['column', 'stacked', 'bar']],
    ['what does not add up', regions(['price']), ['column', 'bar']],
    ['a negative amount', regions(['revenue'], [3, 2, -1]), ['column', 'bar']],
    ['unknown numbers', modelOf(columnChart), ['column', 'bar']],
    ['times', modelOf(lineChart), ['column', 'line', 'area']],
    ['a pie', modelOf(pieChart), ['column', 'bar', 'pie']],
    ['a comparison of years', modelOf(comparedYearsChart), []],
    ['a scatter', modelOf({ type: 'scatter', series: [{ data: [[1, 2]] }] }), []],
    [
      'two kinds of marks',
      modelOf({
        series: [
          { type: 'column', data: [1] },
          { type: 'line', data: [2] },
        ],
      }),
      [],
    ],
  ])('of %s', (_, chart, forms) => {
    expect(formsOf(chart)).toEqual(forms);
  });
});

describe('inForm', () => {
  it('keeps the numbers, and the form that it has', () => {
    const chart = regions(['revenue', 'revenue']);
    expect(inForm(chart, 'column')).toBe(chart);
    for (const form of formsOf(chart)) {
      const drawn = arrangeChart(inForm(chart, form), false).chart;
      expect(formOf(drawn)).toBe(form);
      expect(chartTable(drawn).rows).toEqual(chartTable(arrangeChart(chart, false).chart).rows);
    }
  });

  it('makes a pie of bars and bars of a pie, with their names', () => {
    const pie = arrangeChart(inForm(regions(['revenue']), 'pie'), false).chart;
    expect(pie).toMatchObject({ type: 'pie', legend: true, stacking: null });
    const columns = arrangeChart(inForm(modelOf(pieChart), 'column'), false).chart;
    expect(columns.xAxis.categories?.slice(0, 2)).toEqual(['Furniture', 'Lighting']);
    expect(columns.series[0]?.points[0]?.y).toBe(412_900);
    expect(columns.innerSize).toBeNull();
  });
});
