import { describe, expect, it } from 'vitest';
import type { ChartModel } from './chart-model';
import { chartTable } from './chart-data';
import { chartOptions } from './chart-options';
import { coarseGrain } from './coarse-grain';
import { parseChartConfig } from './parse-chart-config';

const hour = 3_600_000;
const day = 24 * hour;
const newYear = Date.UTC(2025, 0, 1);

const at = { name: 'at', label: 'Time', format: 'timestamp', role: 'time' };
const sales = { name: 'sales', label: 'Sales', unit: 'EUR', format: 'money', role: 'measure', adds: true };
const level = { name: 'temperature', label: 'Temperature', unit: '°C', format: 'number', role: 'measure' };

interface Course {
  count: number;
  step?: number;
  begin?: number;
  value?: (place: number) => number | null;
  column?: object | null;
  type?: string;
  more?: object;
}

function courseOf(course: Course): ChartModel {
  const {
    count,
    step = hour,
    begin = newYear,
    value = () => 1,
    column = sales,
    type = 'line',
    more,
  } = course;
  const parsed = parseChartConfig({
    chart: { type },
    xAxis: { type: 'datetime' },
    series: [
      {
        name: 'Value',
        data: Array.from({ length: count }, (_, place) => [begin + place * step, value(place)]),
        ...(column === null ? {} : { column: (column as { name: string }).name }),
      },
    ],
    parley: { ...(column === null ? {} : { columns: [at, column] }), x: 'at' },
    ...more,
  });
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.chart;
}

function pointsOf(chart: ChartModel): [number | null, number | null][] {
  return (chart.series[0]?.points ?? []).map(({ x, y }) => [x, y]);
}

describe('coarseGrain', () => {
  it('leaves a course that has room as it is', () => {
    const course = courseOf({ count: 400 });
    expect(coarseGrain(course, 720)).toEqual({ chart: course, note: null });
    expect(coarseGrain(course, 340).note).not.toBeNull();
  });

  it('shows a year of hours by day, amounts added up, and says so', () => {
    const course = courseOf({ count: 8_760 });
    const { chart, note } = coarseGrain(course, 720);
    expect(pointsOf(chart)).toHaveLength(365);
    expect(pointsOf(chart)[0]).toEqual([newYear, 24]);
    expect(chart.xAxis.column?.format).toBe('date');
    expect(note).toBe('Shown by day; the table has all 8,760 rows.');
    expect(chartTable(course).rows).toHaveLength(8_760);
    expect([chart.incomplete, chart.incompleteFirst]).toEqual([null, null]);
  });

  it('shows it by week on a phone', () => {
    const { chart, note } = coarseGrain(courseOf({ count: 8_760 }), 340);
    expect(note).toMatch(/^Shown by week;/u);
    // The year begins on a Wednesday.
    expect(pointsOf(chart)[0]).toEqual([newYear - 2 * day, 5 * 24]);
    expect(pointsOf(chart)[1]).toEqual([newYear + 5 * day, 7 * 24]);
  });

  it('averages levels, and keeps gaps and the highest of what is a highest', () => {
    const value = (place: number) => (place < 24 ? null : place % 24);
    const averaged = coarseGrain(courseOf({ count: 8_760, value, column: level }), 720);
    expect(pointsOf(averaged.chart).slice(0, 2)).toEqual([
      [newYear, null],
      [newYear + day, 11.5],
    ]);
    expect(averaged.note).toBe('Shown by day, as averages; the table has all 8,760 rows.');
    const highest = { ...level, name: 'max_temperature' };
    const peaks = coarseGrain(courseOf({ count: 8_760, value, column: highest }), 720);
    expect(pointsOf(peaks.chart)[1]).toEqual([newYear + day, 23]);
    expect(peaks.note).toContain('the highest value of each');
  });

  it('says where sums are of a part of a period, at both ends, and dashes them', () => {
    const { chart } = coarseGrain(courseOf({ count: 8_760, begin: newYear + 5 * hour }), 720);
    expect([chart.incompleteFirst, chart.incomplete]).toEqual([newYear, newYear + 365 * day]);
    const options = chartOptions(chart, { width: 720, height: 320, animate: false });
    const [line] = options.series as unknown as { zones: unknown }[];
    expect(line?.zones).toEqual([
      { value: newYear + day, dashStyle: 'ShortDash' },
      { value: newYear + 364 * day },
      { dashStyle: 'ShortDash' },
    ]);
    const averaged = coarseGrain(courseOf({ count: 8_760, begin: newYear + 5 * hour, column: level }), 720);
    expect([averaged.chart.incompleteFirst, averaged.chart.incomplete]).toEqual([null, null]);
  });

  it('takes weeks of working days for whole', () => {
    const monday = Date.UTC(2023, 0, 2);
    const workdays = Array.from({ length: 700 }, (_, place) => [
      monday + (Math.floor(place / 5) * 7 + (place % 5)) * day,
      1,
    ]);
    const { chart } = coarseGrain(
      courseOf({ count: 0, more: { series: [{ name: 'n', data: workdays, column: 'sales' }] } }),
      720,
    );
    expect([chart.incompleteFirst, chart.incomplete]).toEqual([null, null]);
    expect(pointsOf(chart)[0]).toEqual([monday, 5]);
  });

  it('shows the highest and lowest beside the average of what nothing is known of', () => {
    const value = (place: number) => (place === 30 ? 99 : place === 40 ? -99 : place % 24);
    const { chart, note } = coarseGrain(courseOf({ count: 8_760, value, column: null }), 720);
    expect(chart.series.map(({ name, points }) => [name, points.length, points[1]?.y])).toEqual([
      ['Highest', 365, 99],
      ['Average', 365, Number(((276 - 6 - 16) / 24).toPrecision(12))],
      ['Lowest', 365, -99],
    ]);
    expect(note).toBe('Shown by day: average, highest and lowest; the table has all 8,760 rows.');
  });

  it('keeps the highest and lowest points of several lines that nothing is known of', () => {
    const value = (place: number) => (place === 4_321 ? 99 : place === 1_234 ? -99 : place % 7);
    const data = Array.from({ length: 8_760 }, (_, place) => [newYear + place * hour, value(place)]);
    const series = [{ data }, { data: data.slice(0, 1_000) }];
    const { chart, note } = coarseGrain(courseOf({ count: 0, column: null, more: { series } }), 720);
    const values = pointsOf(chart).map(([, y]) => y);
    expect(values.length).toBeLessThanOrEqual(402);
    expect([values.includes(99), values.includes(-99)]).toEqual([true, true]);
    expect(pointsOf(chart)[0]?.[0]).toBe(newYear);
    expect(pointsOf(chart).at(-1)?.[0]).toBe(newYear + 8_759 * hour);
    expect(note).toBe(
      'Shown with fewer points, the highest and lowest among them; the table has all 8,760 rows.',
    );
  });

  it('puts bars together, which need more room, and all series at the same places', () => {
    const bars = coarseGrain(courseOf({ count: 365, step: day, type: 'column' }), 720);
    expect(bars.note).toMatch(/^Shown by week;/u);
    const one = Array.from({ length: 5_000 }, (_, place) => [newYear + place * hour, 1]);
    const series = [one, one.slice(2_500)].map((data) => ({ name: 'n', data, column: 'sales' }));
    const { chart } = coarseGrain(courseOf({ count: 0, more: { series } }), 720);
    expect(chart.series.map(({ points }) => points.length)).toEqual([209, 105]);
  });

  it('keeps a period that the data do not fill', () => {
    const incomplete = newYear + 8_000 * hour;
    const parley = { columns: [at, sales], x: 'at', incomplete };
    const { chart } = coarseGrain(courseOf({ count: 8_760, more: { parley } }), 720);
    expect(chart.incomplete).toBe(newYear + 333 * day);
  });
});
