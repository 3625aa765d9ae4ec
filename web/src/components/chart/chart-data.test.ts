import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { cellFormatter } from '@/components/data-table/format-cell';
import { tableOfRows } from '@/components/data-table/table-of-rows';
import {
  columnChart,
  comparedYearsChart,
  cutBaseChart,
  lineChart,
  manyProductsChart,
  pieChart,
  scatterChart,
} from '@/testing/fixtures/components';
import { arrangeChart } from './arrange';
import { chartCsv } from './chart-csv';
import { chartTable } from './chart-data';
import { safeFileName } from './chart-export';
import type { ChartModel } from './chart-model';
import { describeChart } from './chart-words';
import { parseChartConfig } from './parse-chart-config';

function chartOf(config: unknown): ChartModel {
  const parsed = parseChartConfig(config);
  if (!parsed.ok) throw new Error(parsed.reason);
  return arrangeChart(parsed.chart, true).chart;
}

describe('chartTable', () => {
  it('has one row per category and one column per series', () => {
    const table = chartTable(chartOf(columnChart));
    expect(table.columns).toEqual(['Month', 'Online', 'Stores']);
    expect(table.rows).toHaveLength(12);
    expect(table.rows[0]).toEqual(['Jan', 41_200, 62_100]);
  });

  it('writes dates as dates and pie slices by name', () => {
    expect(chartTable(chartOf(lineChart)).rows[0]?.[0]).toBe('2025-01-06');
    expect(chartTable(chartOf(pieChart)).rows[0]).toEqual(['Furniture', 412_900]);
  });

  it('has days when every place is a midnight, and times when one is not', () => {
    const over = (...places: string[]) =>
      chartTable(
        chartOf({
          chart: { type: 'column' },
          xAxis: { type: 'datetime' },
          series: [{ name: 'Credits', data: places.map((place) => [place, 1]) }],
        }),
      );
    const days = over('2026-11-01', '2026-11-02');
    expect([days.shown?.[0]?.format, days.rows[0]?.[0]]).toEqual(['date', '2026-11-01']);
    expect(over('2026-11-01', '2026-11-02T09:30:00Z').shown?.[0]?.format).toBe('timestamp');
  });

  it('knows the units and times of its columns', () => {
    const table = chartTable(chartOf(cutBaseChart));
    expect(table.columns).toEqual(['Month', 'Total net sales']);
    expect(table.shown?.map((column) => [column?.format, column?.unit])).toEqual([
      ['month', undefined],
      ['money', 'EUR'],
    ]);
    expect(table.rows[0]?.[0]).toBe('2025-10');
  });

  it('tells the difference of two periods', () => {
    const table = chartTable(chartOf(comparedYearsChart));
    expect(table.columns).toEqual(['Region', '2024', '2025', 'Difference', 'Change']);
    expect(table.rows[0]?.slice(0, 4)).toEqual(['Nord', 292_014, 334_868, 42_854]);
    expect(table.rows[0]?.[4]).toBeCloseTo(0.14675, 4);
  });

  it('writes years without a comma', () => {
    const year = { name: 'year', label: 'Year', format: 'year', role: 'time' };
    const config = { type: 'column', xAxis: { categories: ['2024', '2025'] }, series: [{ data: [1, 2] }] };
    const table = tableOfRows(chartTable(chartOf({ ...config, parley: { columns: [year], x: 'year' } })));
    const [column] = table.columns;
    expect(table.rows.map(([cell = null]) => column && cellFormatter(column)(cell))).toEqual([
      '2024',
      '2025',
    ]);
  });

  it('tells the difference of two shares in percentage points', () => {
    const share = { name: 'share', label: 'Share', unit: '%', format: 'percent', role: 'measure' } as const;
    const chart = chartOf(comparedYearsChart);
    const series = chart.series.map((each) => ({ ...each, column: share }));
    const shown = chartTable({ ...chart, series }).shown?.slice(3);
    expect(shown?.map((column) => [column?.label, column?.format, column?.unit])).toEqual([
      ['Difference', 'number', 'pp'],
      ['Change', 'fraction', '%'],
    ]);
    const parts = series.map((each) => ({ ...each, column: { ...share, format: 'fraction' as const } }));
    expect(chartTable({ ...chart, series: parts }).rows[0]?.[3]).toBe(4_285_400);
  });

  it('keeps every point of a scatter chart', () => {
    const data = [
      [1, 2],
      [1, 3],
    ];
    expect(chartTable(chartOf({ type: 'scatter', series: [{ data }] })).rows).toEqual(data);
    expect(chartTable(chartOf(scatterChart)).rows).toHaveLength(60);
  });
});

describe('chartCsv', () => {
  it('has headings in words with their units, and all the rows', () => {
    const lines = chartCsv(chartOf(manyProductsChart)).split('\r\n');
    expect(lines[0]).toBe('Product,Total net sales (EUR)');
    expect(lines).toHaveLength(28);
  });

  it('has the names that the data have, which are drawn without signs of markup', () => {
    const config = {
      ...columnChart,
      tooltip: {},
      xAxis: { categories: ['‹ 5 kg', '5-10 kg', '‹ 5 kg (2)'] },
      series: [{ name: '‹b›Sales', data: [1, 2, 3] }],
      parley: {
        exact: [
          ['‹ 5 kg', '< 5 kg'],
          ['‹ 5 kg (2)', '‹ 5 kg'],
          ['‹b›Sales', '<b>Sales'],
        ],
      },
    };
    expect(chartCsv(chartOf(config)).split('\r\n')).toEqual([
      'Category,<b>Sales',
      '< 5 kg,1',
      '5-10 kg,2',
      '‹ 5 kg,3',
    ]);
    expect(chartTable(chartOf(config)).rows[0]?.[0]).toBe('‹ 5 kg');
  });

  it('guards the names that the data have as well, whatever is before the sign', () => {
    const exact = ['=cmd()', '\n=cmd()', '\u202e=cmd()', '\u0007+cmd()'];
    const categories = exact.map((_, place) => `name ${place}`);
    const config = {
      ...columnChart,
      xAxis: { categories },
      series: [{ name: 'n', data: [1, 2, 3, 4] }],
      parley: { exact: exact.map((own, place) => [categories[place], own]) },
    };
    const names = Papa.parse<string[]>(chartCsv(chartOf(config))).data.slice(1);
    expect(names.map(([name]) => name)).toEqual(exact.map((name) => `'${name}`));
  });

  it('keeps spreadsheets from running a category as a formula', () => {
    const csv = chartCsv(
      chartOf({
        ...columnChart,
        tooltip: {},
        xAxis: { categories: ['=cmd()', '-5', '+5 %', 'ok'] },
        series: [{ name: '@x', data: [1, -2, 3, 4] }],
      }),
    );
    expect(csv.split('\r\n')).toEqual(["Category,'@x", "'=cmd(),1", '-5,-2', "'+5 %,3", 'ok,4']);
  });
});

describe('describeChart', () => {
  it('says what is drawn and its extremes, with units', () => {
    expect(describeChart(chartOf(columnChart))).toBe(
      'Column chart, Revenue by month. 2 series (Online, Stores), 24 points. Highest 82,300 € at Dec, lowest 38,900 € at Feb.',
    );
    expect(describeChart(chartOf(comparedYearsChart))).toContain('Highest €334,868 at Nord');
  });
});

describe('safeFileName', () => {
  it.each([
    ['Revenue by month', 'Revenue by month.png'],
    ['../../etc/passwd\u202e', '.. .. etc passwd.png'],
    ['<>:"/\\|?*', 'chart.png'],
  ])('turns %s into %s', (name, file) => {
    expect(safeFileName(name, 'png')).toBe(file);
  });
});
