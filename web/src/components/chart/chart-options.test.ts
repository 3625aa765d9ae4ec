import { describe, expect, it } from 'vitest';
import {
  alikeBarsChart,
  alikeLinesChart,
  alikePieChart,
  alikeStackedChart,
  alikeUnlistedPieChart,
  barChart,
  columnChart,
  comparedYearsChart,
  cutBaseChart,
  fewLinesChart,
  hostileChartText,
  lineChart,
  manyBarsChart,
  manyProductsChart,
  openQuarterChart,
  pieChart,
  scatterChart,
  zeroChart,
} from '@/testing/fixtures/components';
import { arrangeChart } from './arrange';
import { chartTable } from './chart-data';
import type { ChartModel } from './chart-model';
import { chartOptions } from './chart-options';
import { chartHeight, columnBeside } from './chart-size';
import { parseChartConfig } from './parse-chart-config';
import { incompleteText } from './place-names';

function chartOf(config: unknown): ChartModel {
  const parsed = parseChartConfig(config);
  if (!parsed.ok) throw new Error(parsed.reason);
  return arrangeChart(parsed.chart, false).chart;
}

function optionsOf(config: unknown, width = 720) {
  const options = chartOptions(chartOf(config), { width, height: 320, animate: false });
  const xAxis = Array.isArray(options.xAxis) ? options.xAxis[0] : options.xAxis;
  const yAxis = Array.isArray(options.yAxis) ? options.yAxis[0] : options.yAxis;
  return { options, xAxis, yAxis };
}

type Formatter = (this: unknown) => string;

function tooltipOf(config: unknown, point: object): string {
  return (optionsOf(config).options.tooltip?.formatter as unknown as Formatter).call(point);
}

function tickOf(axis: unknown, value: number, more: object = {}): string {
  const { labels } = axis as { labels: { formatter: (this: unknown, context: object) => string } };
  return labels.formatter.call({ value, ...more }, { value, ...more });
}

function periods(count: number): unknown {
  return {
    type: 'column',
    xAxis: { categories: Array.from({ length: count }, (_, place) => String(2000 + place)) },
    series: [{ data: Array.from({ length: count }, () => 1), column: 'n' }],
    parley: { columns: [{ name: 'year', label: 'Year', format: 'year', role: 'time' }], x: 'year' },
  };
}

describe('the axis of names', () => {
  it('distinguishes names that begin alike, and has them whole in the tooltip', () => {
    const names = ['1', '2'].map((end) => `The very long <product> line name number ${end}`);
    const config = { type: 'bar', xAxis: { categories: names }, series: [{ name: 'Sales', data: [1, 2] }] };
    const { xAxis } = optionsOf(config);
    const label = (name: string): string =>
      (xAxis?.labels?.formatter as unknown as Formatter).call({ value: name });
    const plain = names.map((name) => name.replace('<', '&lt;').replace('>', '&gt;'));
    expect(xAxis?.categories).toEqual(plain);
    expect(plain.map(label)).toEqual(['The very long…name number 1', 'The very long…name number 2']);
    expect(label('East')).toBe('East');
    const point = { category: plain[0], y: 1, series: { name: 'Sales', index: 0 } };
    expect(tooltipOf(config, point)).toContain('The very long &lt;product&gt; line name number 1');
  });

  it('leaves lying bars more than half of a phone', () => {
    const { xAxis } = optionsOf(alikeBarsChart, 320);
    const label = (name: string): string =>
      (xAxis?.labels?.formatter as unknown as Formatter).call({ value: name });
    expect(xAxis?.labels?.style).toMatchObject({ width: 134 });
    expect(xAxis?.categories?.map(label)).toEqual([
      'Meridian Ou…women',
      'Meridian…for men',
      'Meridian Ou…girls',
      'Meridian…for boys',
      'Meridian…toddlers',
    ]);
  });

  it('gives stacked lying bars their rows also below a legend of long names, and begins with the first series', () => {
    const chart = chartOf(alikeStackedChart);
    expect(chartHeight(chart, 320)).toBe(5 * 26 + 76 + 13 + 3 * 19);
    expect(optionsOf(alikeStackedChart).yAxis).toMatchObject({ reversedStacks: false });
  });

  it('turns the labels above 15 columns of periods', () => {
    expect(optionsOf(periods(16)).xAxis?.labels?.rotation).toBe(-45);
    expect(optionsOf(periods(15)).xAxis?.labels?.rotation).toBeUndefined();
  });

  it('leaves the names of lying bars straight, whatever the chart asks for', () => {
    const xAxis = { categories: Array.from({ length: 30 }, String), labels: { rotation: -45 } };
    for (const config of [manyBarsChart, { ...barChart, xAxis }]) {
      expect(optionsOf(config).options.chart?.type).toBe('bar');
      expect(optionsOf(config).xAxis?.labels?.rotation).toBeUndefined();
    }
  });

  it('gives lying bars rows of 26 px', () => {
    expect(chartHeight(chartOf(barChart), 320)).toBe(7 * 26 + 76);
    expect(chartHeight(chartOf(manyProductsChart), 320)).toBe(16 * 26 + 76);
    expect(chartHeight(chartOf(columnChart), 320)).toBe(320);
  });

  it('writes the year at the first of several days, and at the first of another year', () => {
    const xAxis = optionsOf({
      chart: { type: 'column' },
      xAxis: { type: 'datetime' },
      series: [{ name: 'a', data: [['2025-12-30', 1]] }],
    }).xAxis;
    const days = [30, 31, 32].map((day) => Date.UTC(2025, 11, day));
    const axis = { tickPositions: days };
    expect(days.map((day) => tickOf(xAxis, day, { axis }))).toEqual([
      'Dec 30, 2025',
      'Dec 31',
      'Jan 1, 2026',
    ]);
  });

  it('writes what has no value beside days as nothing when days are short', () => {
    const categories = ['Monday', 'Tuesday', '(empty)'];
    const { xAxis } = optionsOf({
      chart: { type: 'column' },
      xAxis: { categories },
      series: [{ name: 'a', data: [1, 2, 3] }],
      parley: { empty: '(empty)' },
    });
    const at = (len: number) =>
      categories.map((name) => tickOf(xAxis, name as never, { axis: { len, categories } }));
    expect(at(120)).toEqual(['Mon', 'Tue', '–']);
    expect(at(900)).toEqual(categories);
  });

  it('writes days of the week as long as there is room for them', () => {
    const names = ['Monday', 'Tuesday', 'Wednesday'];
    const { xAxis } = optionsOf({
      chart: { type: 'column' },
      xAxis: { categories: names },
      series: [{ name: 'a', data: [1, 2, 3] }],
    });
    const at = (len: number) =>
      names.map((name) => tickOf(xAxis, name as never, { axis: { len, categories: names } }));
    expect(at(120)).toEqual(['Mon', 'Tue', 'Wed']);
    expect(at(600)).toEqual(names);
    expect(xAxis?.labels?.autoRotation).toEqual([]);
  });

  it.each([
    [300, 2],
    [720, 1],
  ])('names as many of twelve months as have room at %i px', (width, step) => {
    const names = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
    const config = {
      chart: { type: 'column' },
      xAxis: { categories: names },
      series: [{ name: 'a', data: names.map((_, place) => place) }],
    };
    expect(optionsOf(config, width).xAxis?.labels?.step).toBe(step);
  });

  it('writes months as months, and quarters as quarters', () => {
    const { xAxis } = optionsOf(cutBaseChart);
    expect(tickOf(xAxis, Date.UTC(2026, 0, 1), { tickPositionInfo: { unitName: 'month' } })).toBe('Jan 2026');
    expect(optionsOf(openQuarterChart).xAxis?.categories?.at(0)).toBe('Q4 2025');
  });

  it('gives a number along the axis its unit', () => {
    const { xAxis, yAxis } = optionsOf(scatterChart);
    expect(xAxis?.title?.text).toBe('Weight (kg)');
    expect(xAxis?.labels?.rotation).toBeUndefined();
    expect(tickOf(xAxis, 1500)).toBe('1.5k');
    expect(yAxis?.title?.text).toBe('Delivery time (days)');
  });
});

describe('the axis of values', () => {
  it('reaches at least 1000 when all values are zero, and only then', () => {
    expect(optionsOf(zeroChart).yAxis?.max).toBe(1000);
    expect(optionsOf({ ...zeroChart, series: [{ data: [0, 1] }] }).yAxis?.max).toBeUndefined();
    expect(optionsOf({ ...zeroChart, yAxis: { max: 5000 } }).yAxis?.max).toBe(5000);
  });

  it('begins at zero for bars, whatever the chart asks for', () => {
    expect(optionsOf({ ...columnChart, yAxis: { min: 30_000 } }).yAxis?.min).toBe(0);
    expect(optionsOf({ ...columnChart, series: [{ data: [-4, 5] }] }).yAxis?.min).toBeUndefined();
  });

  it('begins at zero for a line that reads well from there, and higher for one that would be flat', () => {
    expect(optionsOf({ ...lineChart, series: [{ data: [10, 50, 100] }] }).yAxis?.min).toBe(0);
    expect(optionsOf(cutBaseChart).yAxis?.min).toBeGreaterThan(1_000_000);
  });

  it('has a line at its edge, unless values are negative: then the line is at zero, where bars begin', () => {
    const edgeOf = (data: number[]) =>
      optionsOf({ type: 'column', xAxis: { categories: ['a', 'b'] }, series: [{ data }] }).xAxis?.lineWidth;
    expect([edgeOf([3, -2]), edgeOf([3, 2])]).toEqual([0, undefined]);
  });

  it('of shares ends at 100%, unless a value is higher', () => {
    const shares = (...data: number[]) =>
      optionsOf({ ...barChart, tooltip: { valueSuffix: '%' }, series: [{ data }] }).yAxis?.ceiling;
    expect([shares(12, 96.4, 100), shares(12, 104), shares(3, -20)]).toEqual([100, undefined, 100]);
    expect(optionsOf(barChart).yAxis?.ceiling).toBeUndefined();
    const share = { name: 'share', label: 'Share', unit: '%', format: 'percent', role: 'measure' };
    const stacked = (...heights: number[]) =>
      optionsOf({
        ...columnChart,
        series: heights.map((height) => ({ data: [height, 10], column: 'share' })),
        plotOptions: { series: { stacking: 'normal' } },
        parley: { columns: [share] },
      }).yAxis?.ceiling;
    // Rounded parts may add up to a little more than their whole.
    expect([stacked(60, 40.02), stacked(60, 60)]).toEqual([100, undefined]);
  });

  it('writes money and shares at each number, in k and M', () => {
    const { yAxis } = optionsOf(cutBaseChart);
    expect([1500, 250_000, 3_000_000, 2_000_000_000].map((value) => tickOf(yAxis, value))).toEqual([
      '€1.5k',
      '€250k',
      '€3M',
      '€2bn',
    ]);
    expect(tickOf(optionsOf({ ...columnChart, tooltip: { valueSuffix: '%' } }).yAxis, 12.5)).toBe('12.5%');
  });
});

describe('tooltips', () => {
  it('write values in full with their unit', () => {
    expect(
      tooltipOf(cutBaseChart, {
        x: Date.UTC(2026, 10, 1),
        y: 1_754_310.3,
        series: { name: 'Total net sales', index: 0 },
      }),
    ).toBe('Nov 2026<br>Total net sales: <b>€1,754,310.30</b>');
  });

  it('tell the difference of two periods', () => {
    const points = [
      { y: 200, series: { name: '2024', index: 0 } },
      { y: 250, series: { name: '2025', index: 1 } },
    ];
    expect(optionsOf(comparedYearsChart).options.tooltip?.shared).toBe(true);
    expect(tooltipOf(comparedYearsChart, { category: 'Nord', series: { name: '2024' }, points })).toBe(
      'Nord<br>2024: <b>€200</b><br>2025: <b>€250</b><br>Difference: <b>+€50</b> (+25%)',
    );
  });

  it('tell the difference of two shares in percentage points', () => {
    const share = { name: 'total_net_sales', label: 'Share', unit: '%', format: 'percent', role: 'measure' };
    const { parley } = comparedYearsChart;
    const columns = [...parley.columns.slice(0, 2), share];
    const chart = { ...comparedYearsChart, parley: { ...parley, columns } };
    const points = [
      { y: 27.13, series: { name: '2024', index: 0 } },
      { y: 23.27, series: { name: '2025', index: 1 } },
    ];
    expect(tooltipOf(chart, { category: 'Nord', series: { name: '2024' }, points })).toContain(
      'Difference: <b>-3.86\u00a0pp</b> (-14.2%)',
    );
  });

  it('show one tooltip for all series when asked to', () => {
    const config = { ...columnChart, tooltip: { shared: true, valueSuffix: '%' } };
    const points = [
      { y: 1.234, series: { name: 'A' } },
      { y: null, series: { name: 'B' } },
    ];
    expect(optionsOf(config).options.tooltip?.shared).toBe(true);
    expect(tooltipOf(config, { category: 'Jan', series: { name: 'A' }, points })).toBe(
      'Jan<br>A: <b>1.23%</b><br>B: <b>no value</b>',
    );
  });

  it('I03: are escaped too', () => {
    const tooltip = tooltipOf(hostileChartText, {
      y: 3,
      category: '&lt;b&gt;',
      series: { name: '&lt;svg&gt;' },
    });
    expect(tooltip).toBe('&lt;b&gt;<br>&lt;svg&gt;: <b>3&lt;i&gt;</b>');
  });
});

describe('series', () => {
  it('have their names at their ends when there are few and they lie apart', () => {
    const { options } = optionsOf(fewLinesChart);
    expect(options.legend?.enabled).toBe(false);
    const [first] = options.series as unknown as { data: { dataLabels?: { formatter: Formatter } }[] }[];
    expect(first?.data.at(-1)?.dataLabels?.formatter.call({ series: { name: 'Online' } })).toBe('Online');
    expect(first?.data.at(0)?.dataLabels).toBeUndefined();
  });

  it('have a legend on a phone, where they are many, and where their ends meet', () => {
    expect(optionsOf(fewLinesChart, 240).options.legend?.enabled).toBe(true);
    const many = { ...fewLinesChart, series: Array.from({ length: 5 }, () => fewLinesChart.series[0]) };
    expect(optionsOf(many).options.legend?.enabled).toBe(true);
    const close = { ...fewLinesChart, series: [fewLinesChart.series[0], fewLinesChart.series[0]] };
    expect(optionsOf(close).options.legend?.enabled).toBe(true);
  });

  it('dash the way to a period that is not complete', () => {
    const [line] = optionsOf(cutBaseChart).options.series as unknown as { zones: unknown }[];
    expect(line?.zones).toEqual([{ value: Date.UTC(2026, 9, 1) }, { dashStyle: 'ShortDash' }]);
    const [columns] = optionsOf(openQuarterChart).options.series as unknown as {
      data: { dashStyle?: string }[];
    }[];
    expect(columns?.data.map(({ dashStyle }) => dashStyle)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
      'ShortDash',
    ]);
  });

  it('have a colour for each of up to four years, the last one as in a pair', () => {
    const colors = (count: number) => {
      const series = Array.from({ length: count }, (_, year) => ({
        name: String(2020 + year),
        data: [1, 2],
      }));
      const config = { ...comparedYearsChart, xAxis: { categories: ['a', 'b'] }, series };
      return optionsOf(config).options.series?.map((each) => (each as { colorIndex?: number }).colorIndex);
    };
    expect(colors(2)).toEqual([7, 0]);
    expect(colors(3)).toEqual([7, 5, 0]);
    expect(colors(4)).toEqual([7, 2, 5, 0]);
  });

  it('write the change beside the later of two periods', () => {
    const series = optionsOf(comparedYearsChart).options.series as unknown as {
      dataLabels: { formatter: Formatter };
    }[];
    expect(series[1]?.dataLabels.formatter.call({ y: 334_868, point: { index: 0 } })).toBe('+14.7%');
    expect(series[0]?.dataLabels.formatter.call({ y: 292_014, point: { index: 0 } })).toBe('');
  });

  it('write no change upon the columns of three years, which are too close, but beside the last of their lying bars', () => {
    const series = ['2023', '2024', '2025'].map((name, place) => ({ name, data: [100 + 10 * place, 50] }));
    const changes = (type: string) =>
      (
        optionsOf({ ...comparedYearsChart, chart: { type }, xAxis: { categories: ['a', 'b'] }, series })
          .options.series as unknown as { dataLabels: { formatter: Formatter } }[]
      ).map(({ dataLabels }) => dataLabels.formatter.call({ y: 1, point: { index: 0 } }));
    expect(changes('column')).toEqual(['', '', '']);
    expect(changes('bar')).toEqual(['', '', '+9.1%']);
  });

  it('write no change to a period that the data do not fill, whose columns are outlines', () => {
    const chart = { ...comparedYearsChart, parley: { ...comparedYearsChart.parley, incomplete: '2025' } };
    const series = optionsOf(chart).options.series as unknown as {
      data: { dashStyle?: string }[];
      dataLabels: { formatter: Formatter };
    }[];
    for (const index of [0, 1])
      for (const each of series)
        expect(each.dataLabels.formatter.call({ y: 205_110, point: { index } })).toBe('');
    expect(series[0]?.data[0]?.dashStyle).toBeUndefined();
    expect(series[1]?.data[0]?.dashStyle).toBe('ShortDash');
    const points = [
      { y: 200, series: { name: '2024', index: 0 } },
      { y: 250, series: { name: '2025', index: 1 } },
    ];
    expect(tooltipOf(chart, { category: 'Nord', series: { name: '2024' }, points })).not.toContain(
      'Difference',
    );
    expect(chartTable(chartOf(chart)).columns).not.toContain('Change');
    expect(incompleteText(chartOf(chart))).toBe('2025');
  });

  it('write a fall above the earlier of two columns, which is the higher one', () => {
    const series = optionsOf(comparedYearsChart).options.series as unknown as {
      dataLabels: { formatter: Formatter };
    }[];
    expect(series[0]?.dataLabels.formatter.call({ y: 210_300, point: { index: 1 } })).toBe('-2.5%');
    expect(series[1]?.dataLabels.formatter.call({ y: 205_110, point: { index: 1 } })).toBe('');
  });

  it('write the change of two losses below the larger loss, whichever is earlier', () => {
    const { series: given } = comparedYearsChart;
    const losses = [
      [-5698, -7455],
      [-6533, -6209],
    ];
    const chart = {
      ...comparedYearsChart,
      xAxis: { categories: ['West', 'Ost'] },
      series: given.map((each, year) => ({ ...each, data: losses.map((pair) => pair[year]) })),
    };
    const series = optionsOf(chart).options.series as unknown as { dataLabels: { formatter: Formatter } }[];
    const at = (year: number, index: number) => series[year]?.dataLabels.formatter.call({ point: { index } });
    expect([at(0, 0), at(1, 0)]).toEqual(['', '-30.8%']);
    expect([at(0, 1), at(1, 1)]).toEqual(['+5%', '']);
  });

  it('name the slices of a pie once', () => {
    expect(optionsOf(pieChart).options.series?.[0]).toMatchObject({ type: 'pie', innerSize: '55%' });
    const without = optionsOf({ ...pieChart, legend: { enabled: false } }).options.series?.[0];
    const { dataLabels } = without as unknown as { dataLabels: { formatter: Formatter } };
    expect(dataLabels.formatter.call({ name: 'Garden', percentage: 6.765_43 })).toBe('Garden 6.77%');
  });
});

describe('legends', () => {
  const label = (config: unknown, width: number, name: string): string =>
    (optionsOf(config, width).options.legend?.labelFormatter as unknown as Formatter).call({ name });

  it.each([
    ['a pie', alikePieChart],
    ['lines', alikeLinesChart],
  ])('tell names of %s apart that begin alike, in one line each', (_, config) => {
    const [women, men] = ['women', 'men'].map(
      (who) => `Meridian Outdoor Essentials, rain jackets and trousers for ${who}`,
    );
    expect(label(config, 720, women ?? '')).toBe(women);
    expect(label(config, 320, women ?? '')).toBe('Meridian Outdoor Essenti…for women');
    expect(label(config, 320, men ?? '')).toBe('Meridian Outdoor…trousers for men');
    expect(label(config, 320, 'Another')).toBe('Another');
  });

  it('hand over text that cannot be taken for markup', () => {
    const data = ['North', 'South'].map((end) => ({ name: `The <b>long</b> name of a ${end}`, y: 1 }));
    const config = { chart: { type: 'pie' }, series: [{ name: 'Sales', data }] };
    expect(label(config, 200, 'The &lt;b&gt;long&lt;/b&gt; name of a North')).toBe('The &lt;b&gt;lo…a North');
  });

  it('stand for the names of slices that have no room beside them', () => {
    const unlisted = { ...pieChart, legend: { enabled: false } };
    expect(optionsOf(unlisted, 720).options.legend?.enabled).toBe(false);
    expect(optionsOf(unlisted, 320).options.legend?.enabled).toBe(true);
    const { legend, series } = optionsOf(alikeUnlistedPieChart, 720).options;
    expect(legend?.enabled).toBe(true);
    const { dataLabels } = series?.[0] as unknown as { dataLabels: { formatter: Formatter } };
    expect(dataLabels.formatter.call({ name: 'Garden', percentage: 6.765_43 })).toBe('6.77%');
  });
});

describe('chartOptions', () => {
  it('I03: hands over text that cannot be taken for markup', () => {
    const text = JSON.stringify(optionsOf(hostileChartText).options);
    expect(text).not.toMatch(/<[a-z/]/iu);
    expect(text).toContain('&lt;b&gt;A&lt;/b&gt;');
  });

  it('I03: draws nothing of the names that are for files', () => {
    const config = {
      ...columnChart,
      xAxis: { categories: ['‹a›', 'b'] },
      series: [{ name: '‹s›', data: [1, 2] }],
      parley: {
        exact: [
          ['‹a›', '<a onclick=x>'],
          ['‹s›', '<s>'],
        ],
      },
    };
    const text = JSON.stringify(optionsOf(config).options);
    expect(text).toContain('‹a›');
    expect(text).not.toMatch(/onclick|<|&lt;/u);
  });

  it('never exports, links or injects styles', () => {
    const { options } = optionsOf(columnChart);
    expect(options.credits).toEqual({ enabled: false });
    expect(options.exporting).toBeUndefined();
    expect(options.palette).toEqual({ injectCSS: false });
  });
});

describe('columnBeside', () => {
  // From the least width at which a table is beside its drawing, to the widest card.
  it.each([860, 932, 1080])('has room for two columns in a card of %d px', (card) => {
    const space = card * 0.38;
    expect(2 * columnBeside(space)).toBeLessThanOrEqual(space - 26);
    expect(columnBeside(space)).toBeGreaterThan(140);
  });
});
