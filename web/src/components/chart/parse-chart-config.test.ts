import { describe, expect, it } from 'vitest';
import { barChart, columnChart, hostileChartText, lineChart, pieChart } from '@/testing/fixtures/components';
import type { ChartModel } from './chart-model';
import { type ChartParse, parseChartConfig } from './parse-chart-config';

function chartOf(config: unknown): ChartModel {
  const parsed = parseChartConfig(config);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.chart;
}

function refusal(config: unknown): string {
  const parsed: ChartParse = parseChartConfig(config);
  return parsed.ok ? 'drawn' : parsed.reason;
}

function withData(data: unknown, more: object = {}): unknown {
  return { type: 'column', series: [{ name: 'a', data }], ...more };
}

describe('parseChartConfig', () => {
  it('reads JSON text and parsed JSON alike', () => {
    expect(chartOf(JSON.stringify(columnChart))).toEqual(chartOf(columnChart));
    expect(chartOf(columnChart)).toMatchObject({
      type: 'column',
      title: 'Revenue by month',
      subtitle: '2025, in euros, returns taken off',
      legend: true,
      valueSuffix: ' €',
      xAxis: { kind: 'category', title: 'Month' },
    });
  });

  it('reads the short form', () => {
    expect(chartOf(barChart)).toMatchObject({
      type: 'bar',
      title: 'Average delivery time by country',
      dataLabels: true,
    });
  });

  it('reads points in all their forms', () => {
    const { series } = chartOf(withData([1, null, [5, 2], ['b', 3], { name: 'c', y: 4, colorIndex: 2 }]));
    expect(series[0]?.points).toEqual([
      { x: null, y: 1, name: null, colorIndex: null },
      { x: null, y: null, name: null, colorIndex: null },
      { x: 5, y: 2, name: null, colorIndex: null },
      { x: null, y: 3, name: 'b', colorIndex: null },
      { x: null, y: 4, name: 'c', colorIndex: 2 },
    ]);
  });

  it('reads dates as milliseconds or as ISO text', () => {
    expect(chartOf(lineChart).xAxis.kind).toBe('datetime');
    const { xAxis, series } = chartOf(
      withData([
        ['2025-01-01', 1],
        ['2025-01-02', 2],
      ]),
    );
    expect(xAxis.kind).toBe('datetime');
    expect(series[0]?.points.map((point) => point.x)).toEqual([Date.UTC(2025, 0, 1), Date.UTC(2025, 0, 2)]);
  });

  it('shows a legend when there is something to tell apart', () => {
    expect(chartOf(withData([1])).legend).toBe(false);
    expect(chartOf(pieChart).legend).toBe(true);
    expect(chartOf({ ...columnChart, legend: { enabled: false } }).legend).toBe(false);
  });

  it('I03: keeps nothing that runs, leads out or is a switch to HTML', () => {
    const parsed = parseChartConfig(hostileChartText);
    if (!parsed.ok) throw new Error(parsed.reason);
    const kept = JSON.stringify(parsed.chart);
    expect(kept).not.toMatch(
      /formatter|function|events|useHTML|symbol|url\(|csvURL|credits|exporting|pointFormat/u,
    );
    expect(parsed.dropped).toEqual(
      expect.arrayContaining([
        'chart.events',
        'chart.backgroundColor',
        'title.useHTML',
        'xAxis.labels.formatter',
        'xAxis.labels.format',
        'tooltip.formatter',
        'tooltip.pointFormat',
        'series[0].marker',
        'exporting',
        'data',
        'credits',
        '__proto__',
        'constructor',
      ]),
    );
  });

  it('I12: pollutes no prototype', () => {
    parseChartConfig(hostileChartText);
    parseChartConfig(
      JSON.parse('{"series":[{"data":[1],"__proto__":{"polluted":1}}],"__proto__":{"polluted":1}}'),
    );
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('drops functions and known keys with wrong values', () => {
    const chart = chartOf({
      chart: { type: 'column' },
      title: { text: () => 'x' },
      xAxis: { labels: { rotation: 'url(x)' } },
      legend: 'yes',
      tooltip: { valueDecimals: 1e9 },
      plotOptions: { series: { stacking: 'javascript:1' } },
      series: [{ data: [1], colorIndex: 'url(#x)', type: 'column' }],
    });
    expect(chart).toMatchObject({
      title: null,
      stacking: null,
      valueDecimals: null,
      xAxis: { rotation: null },
    });
    expect(chart.series[0]).toMatchObject({ colorIndex: null });
  });

  it('cuts absurdly long text', () => {
    expect(chartOf({ ...columnChart, title: { text: 'x'.repeat(10_000) } }).title).toHaveLength(300);
  });

  it.each([
    ['text that is no JSON', '{nope'],
    ['code instead of JSON', 'alert(1)'],
    ['nothing', null],
    ['a number', 7],
    ['no series', { type: 'line' }],
    ['an empty list of series', { series: [] }],
    ['an unknown type of point', withData(['12'])],
    ['NaN', withData([Number.NaN])],
    ['NaN in text', '{"series":[{"data":[NaN]}]}'],
    ['Infinity', withData([Number.POSITIVE_INFINITY])],
    ['a number out of all proportion', withData([1e308])],
    ['the same as text', '{"series":[{"data":[1e999]}]}'],
    ['a year 999999', withData([[new Date('+099999-01-01').getTime(), 1]], { xAxis: { type: 'datetime' } })],
    ['a year 999999 as text', withData([['+999999-01-01', 1]], { xAxis: { type: 'datetime' } })],
    ['a date that is none', withData([['yesterday', 1]], { xAxis: { type: 'datetime' } })],
    ['more than 10,000 points', withData(Array.from({ length: 10_001 }, () => 1))],
    ['more than 100 series', { series: Array.from({ length: 101 }, () => ({ data: [1] })) }],
    ['a text of megabytes', `{"series":[{"data":[${'1,'.repeat(2_500_000)}1]}]}`],
  ])('I04: refuses %s', (_, config) => {
    expect(refusal(config)).not.toBe('drawn');
  });

  it('I04: refuses 10 million points without looking at them', () => {
    let looks = 0;
    const data = new Proxy<number[]>(new Array<number>(10_000_000), {
      get: (all, name, self) => {
        looks += 1;
        return Reflect.get(all, name, self) as unknown;
      },
    });
    expect(refusal(withData(data))).toBe('more than 10000 points');
    expect(looks).toBeLessThan(100);
  });

  it('draws 10,000 points', () => {
    expect(refusal(withData(Array.from({ length: 10_000 }, (_, index) => index)))).toBe('drawn');
  });
});
