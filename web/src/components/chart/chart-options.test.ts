import { describe, expect, it } from 'vitest';

import {
  barChart,
  columnChart,
  hostileChartText,
  lineChart,
  manyBarsChart,
  pieChart,
  zeroChart,
} from '../../testing/fixtures/components';
import { chartCsv, chartTable, describeChart } from './chart-data';
import { safeFileName } from './chart-export';
import { fullNumber, percentage, shortNumber } from './chart-format';
import type { ChartModel } from './chart-model';
import { chartOptions } from './chart-options';
import { chartHeight } from './chart-size';
import { parseChartConfig } from './parse-chart-config';

function chartOf(config: unknown): ChartModel {
  const parsed = parseChartConfig(config);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.chart;
}

function optionsOf(config: unknown) {
  const options = chartOptions(chartOf(config), { height: 320, animate: false });
  const xAxis = Array.isArray(options.xAxis) ? options.xAxis[0] : options.xAxis;
  const yAxis = Array.isArray(options.yAxis) ? options.yAxis[0] : options.yAxis;
  return { options, xAxis, yAxis };
}

function bars(count: number): unknown {
  return {
    type: 'column',
    xAxis: { categories: Array.from({ length: count }, String) },
    series: [{ data: Array.from({ length: count }, () => 1) }],
  };
}

describe('chartOptions', () => {
  it('turns the labels above 15 bars', () => {
    expect(optionsOf(manyBarsChart).xAxis?.labels?.rotation).toBe(-45);
    expect(optionsOf(bars(16)).xAxis?.labels?.rotation).toBe(-45);
    expect(optionsOf(bars(15)).xAxis?.labels?.rotation).toBeUndefined();
  });

  it('keeps the rotation that the chart asks for', () => {
    const config = { ...manyBarsChart, xAxis: { ...manyBarsChart.xAxis, labels: { rotation: -90 } } };
    expect(optionsOf(config).xAxis?.labels?.rotation).toBe(-90);
  });

  it('leaves the names of lying bars straight, whatever the chart asks for', () => {
    const xAxis = { categories: Array.from({ length: 30 }, String), labels: { rotation: -45 } };
    const config = { ...barChart, xAxis };
    expect(optionsOf(config).options.chart?.type).toBe('bar');
    expect(optionsOf(config).xAxis?.labels?.rotation).toBeUndefined();
  });

  it('reaches at least 1000 when all values are zero, and only then', () => {
    expect(optionsOf(zeroChart).yAxis?.max).toBe(1000);
    expect(optionsOf({ ...zeroChart, series: [{ data: [0, 1] }] }).yAxis?.max).toBeUndefined();
    expect(optionsOf({ ...zeroChart, yAxis: { max: 5000 } }).yAxis?.max).toBe(5000);
  });

  it('I03: hands over text that cannot be taken for markup', () => {
    const text = JSON.stringify(optionsOf(hostileChartText).options);
    expect(text).not.toMatch(/<[a-z/]/iu);
    expect(text).toContain('&lt;b>A&lt;/b>'.replaceAll('>', '&gt;'));
  });

  it('I03: escapes in tooltips too', () => {
    const { options } = optionsOf(hostileChartText);
    const formatter = options.tooltip?.formatter as unknown as (this: unknown) => string;
    const tooltip = formatter.call({ y: 3, category: '&lt;b&gt;', series: { name: '&lt;svg&gt;' } });
    expect(tooltip).toBe('&lt;b&gt;<br>&lt;svg&gt;: <b>3&lt;i&gt;</b>');
  });

  it('shows one tooltip for all series where asked to', () => {
    const { options } = optionsOf({ ...columnChart, tooltip: { shared: true, valueSuffix: '%' } });
    const formatter = options.tooltip?.formatter as unknown as (this: unknown) => string;
    const points = [
      { y: 1.234, series: { name: 'A' } },
      { y: null, series: { name: 'B' } },
    ];
    expect(options.tooltip?.shared).toBe(true);
    expect(formatter.call({ category: 'Jan', series: { name: 'A' }, points })).toBe(
      'Jan<br>A: <b>1.23%</b><br>B: <b>no value</b>',
    );
  });

  it('never exports, links or injects styles', () => {
    const { options } = optionsOf(columnChart);
    expect(options.credits).toEqual({ enabled: false });
    expect(options.exporting).toBeUndefined();
    expect(options.palette).toEqual({ injectCSS: false });
  });

  it('names the slices of a pie once', () => {
    const { options } = optionsOf(pieChart);
    expect(options.series?.[0]).toMatchObject({ type: 'pie', innerSize: '55%' });
    const without = optionsOf({ ...pieChart, legend: { enabled: false } }).options.series?.[0];
    const formatter = (without as unknown as { dataLabels: { formatter: (this: unknown) => string } })
      .dataLabels.formatter;
    expect(formatter.call({ name: 'Garden', percentage: 6.76543 })).toBe('Garden 6.77%');
  });
});

describe('chartHeight', () => {
  it('gives lying bars 60 px per category', () => {
    expect(chartHeight(chartOf(barChart), 320)).toBe(7 * 60 + 80);
    expect(chartHeight(chartOf(columnChart), 320)).toBe(320);
  });
});

describe('number formats', () => {
  it.each([
    [999, '999'],
    [1000, '1k'],
    [1500, '1.5k'],
    [-2345, '-2.35k'],
    [1_234_567, '1,234.57k'],
    [0.333_333, '0.33'],
    [0.0012, '0.0012'],
    [0, '0'],
  ])('shortens %s to %s', (value, text) => {
    expect(shortNumber(value)).toBe(text);
  });

  it('rounds percentages to two decimals', () => {
    expect(percentage(33.333_33)).toBe('33.33%');
    expect(percentage(50)).toBe('50%');
    expect(fullNumber(12.3456, chartOf({ ...columnChart, tooltip: { valueSuffix: '%' } }))).toBe('12.35%');
  });

  it('shows values in full with suffix and decimals', () => {
    expect(fullNumber(41_200, chartOf(columnChart))).toBe('41,200 €');
  });
});

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

  it('keeps every point of a scatter chart', () => {
    const chart = chartOf({
      type: 'scatter',
      series: [
        {
          data: [
            [1, 2],
            [1, 3],
          ],
        },
      ],
    });
    expect(chartTable(chart).rows).toEqual([
      ['1', 2],
      ['1', 3],
    ]);
  });

  it('keeps spreadsheets from running a category as a formula', () => {
    const csv = chartCsv(
      chartOf({
        ...columnChart,
        xAxis: { categories: ['=cmd()', '-5', '+5 %', 'ok'] },
        series: [{ name: '@x', data: [1, -2, 3, 4] }],
      }),
    );
    expect(csv.split('\r\n')).toEqual(["Category,'@x", "'=cmd(),1", '-5,-2', "'+5 %,3", 'ok,4']);
  });
});

describe('describeChart', () => {
  it('says what is drawn and its extremes', () => {
    expect(describeChart(chartOf(columnChart))).toBe(
      'Column chart, Revenue by month. 2 series (Online, Stores), 24 points. Highest 82,300 at Dec, lowest 38,900 at Feb.',
    );
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
