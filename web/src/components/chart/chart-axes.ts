import type { XAxisOptions, YAxisOptions } from 'highcharts';
import { unitSign } from '@/lib/quantity';
import { periodFormat } from '@/lib/period';
import { locale } from '@/lib/locale';
import type { ShownColumn } from '@/lib/wire';
import { crossesZero, shareCeiling, valueRange } from './axis-base';
import { isCalendar } from './category-order';
import { categoryCount, type ChartAxis, type ChartModel } from './chart-model';
import { cutNames } from './cut-names';
import { timeWriter } from './place-names';
import { asPlainText, percentage, valueFormat } from './value-format';

const columnsBeforeRotation = 15;
const rotation = -45;
/**
 * The maximum width of names next to horizontal bars, in px and as a share of the drawing, and the width of a
 * character.
 */
const namesWidth = 220;
const namesShare = 0.42;
const nameCharacter = 7.8;

const labelStyle = { fontSize: '12px', color: 'var(--gray-11)' };

/** The category or time axis of a drawing of this width in px. */
export function xAxisOptions(chart: ChartModel, width: number): XAxisOptions {
  const axis = chart.xAxis;
  const named = chart.series.some((series) => series.points.some((point) => point.name !== null));
  const kind = axis.kind === 'linear' && named ? 'category' : axis.kind;
  const dates = axis.kind === 'datetime';
  const lying = chart.type === 'bar';
  const room = Math.min(namesWidth, Math.round(width * namesShare));
  const many = categoryCount(chart) > columnsBeforeRotation && kind === 'category';
  // The names of horizontal bars are next to them, one below the other, and need no rotation.
  const angle = lying ? undefined : (axis.rotation ?? (many ? rotation : undefined));
  return {
    type: kind,
    // An axis of names or times needs no title.
    title: { text: kind === 'category' || dates ? '' : asPlainText(withUnit(axis.title ?? '', axis.column)) },
    tickLength: 4,
    tickColor: 'var(--gray-6)',
    lineColor: 'var(--gray-8)',
    // With negative values, the line from which bars and lines are read is at zero and not at the edge.
    ...(crossesZero(chart, 0) ? { lineWidth: 0 } : {}),
    ...(axis.categories === null ? {} : { categories: axis.categories.map(asPlainText) }),
    ...(axis.min === null ? {} : { min: axis.min }),
    ...(axis.max === null ? {} : { max: axis.max }),
    ...(dates ? timeTicks(axis) : {}),
    labels: {
      enabled: axis.labels,
      ...(angle === undefined ? {} : { rotation: angle }),
      style: lying
        ? { ...labelStyle, width: room, textOverflow: 'ellipsis', whiteSpace: 'nowrap' }
        : { ...labelStyle, textOverflow: 'ellipsis' },
      ...(lying ? { step: 1 } : {}),
      // Half of the last date is behind the end of the axis, where there is space for it; inside the axis it would
      // be cut off.
      ...(dates ? { overflow: 'allow' as const, formatter: timeLabel(axis) } : {}),
      ...(dates || kind === 'category' ? {} : { formatter: numberLabel(axis) }),
      ...(lying && axis.categories !== null ? { formatter: nameLabel(axis.categories, room) } : {}),
      ...(kind === 'category' ? periodLabels(chart, width) : {}),
    },
  };
}

/** The labels of categories that are periods. */
function periodLabels({ xAxis, type, empty }: ChartModel, width: number): XAxisOptions['labels'] {
  const names = xAxis.categories ?? [];
  // Days and months are distinct after three letters, so their names need not be rotated.
  if (type !== 'bar' && isCalendar(names.filter((name) => name !== empty)))
    return { formatter: calendarLabel(empty), autoRotation: [], step: calendarStep(width, names.length) };
  // Periods such as Q1 2026 are broken between their words instead of being rotated.
  return xAxis.column?.role === 'time' ? { autoRotation: [] } : {};
}

/** Names that begin alike are cut so that they stay distinct. The tooltip has the full names. */
function nameLabel(names: readonly string[], room: number) {
  const show = cutNames(names, Math.floor(room / nameCharacter));
  return function (this: { value: number | string }): string {
    return show(String(this.value));
  };
}

/** Ticks are at whole periods: a chart of months has none within a month. */
function timeTicks(axis: ChartAxis): Pick<XAxisOptions, 'units' | 'tickPixelInterval'> {
  switch (axis.column?.format) {
    case 'year':
      return { units: [['year', [1, 2, 5, 10]]], tickPixelInterval: 90 };
    case 'quarter':
      return {
        units: [
          ['month', [3, 6]],
          ['year', null],
        ],
        tickPixelInterval: 90,
      };
    case 'month':
      return {
        units: [
          ['month', [1, 2, 3, 6]],
          ['year', null],
        ],
        tickPixelInterval: 90,
      };
    default:
      return { tickPixelInterval: 110 };
  }
}

interface TickContext {
  value: number | string;
  axis?: { tickPositions?: readonly number[] };
  tickPositionInfo?: { unitName?: string };
}

/**
 * Dates as short as their distance allows. For days, only the first one and the first one of each year include the
 * year.
 */
function timeLabel(axis: ChartAxis) {
  const whole = timeWriter(axis);
  const month = periodFormat('month');
  const year = periodFormat('year');
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  const isPeriod = axis.column !== null && ['year', 'quarter', 'month'].includes(axis.column.format);
  return function (this: unknown): string {
    const { value, tickPositionInfo, axis: drawn } = this as TickContext;
    if (typeof value !== 'number') return asPlainText(value);
    const before = drawn?.tickPositions?.[drawn.tickPositions.indexOf(value) - 1];
    const isDay = !isPeriod && value % 86_400_000 === 0;
    if (isDay && before !== undefined && year(before) === year(value)) return asPlainText(day.format(value));
    const unit = tickPositionInfo?.unitName;
    if (unit === 'year' && axis.column?.format !== 'quarter')
      return asPlainText(isPeriod ? whole(value) : year(value));
    if (unit === 'month' && !isPeriod) return asPlainText(month(value));
    return asPlainText(whole(value));
  };
}

/** The width of a letter of the labels, in px. */
const letter = 7.5;

/** The width of the numbers and the title next to a drawing, and of three letters with a gap, in px. */
const besideDrawing = 90;
const shortName = 27;

/** The step between labelled days or months, so that three letters of each fit. */
function calendarStep(width: number, count: number): number {
  return Math.max(1, Math.ceil((shortName * count) / Math.max(1, width - besideDrawing)));
}

/** The name of a day or a month, shortened to three letters if there is too little space below its column. */
function calendarLabel(empty: string | null) {
  return function (this: unknown): string {
    const { value, axis } = this as { value: number | string; axis: { len: number; categories?: string[] } };
    const names = axis.categories ?? [];
    const longest = Math.max(...names.map((name) => name.length));
    const isTight = longest * letter > axis.len / Math.max(names.length, 1);
    // The name for an empty value is not a day, so three letters of it would not be clear.
    if (empty !== null && value === asPlainText(empty)) return isTight ? '–' : value;
    return isTight ? String(value).slice(0, 3) : String(value);
  };
}

function numberLabel(axis: ChartAxis) {
  const column = axis.column;
  const format = valueFormat(
    { valuePrefix: '', valueSuffix: '', valueDecimals: null } as ChartModel,
    column === null
      ? undefined
      : { name: '', type: 'scatter', points: [], colorIndex: null, yAxis: 0, column },
  );
  return function (this: { value: number | string }): string {
    return asPlainText(typeof this.value === 'number' ? format.short(this.value) : this.value);
  };
}

/** An axis of values. Money and shares have their sign at each number, other units are once in the title. */
export function yAxisOptions(axis: ChartAxis, place: number, chart: ChartModel): YAxisOptions {
  const first = chart.series.find((series) => series.yAxis === place);
  const format = valueFormat(chart, first);
  const { min, max } = valueRange(chart, place);
  const ceiling = shareCeiling(chart, place);
  return {
    type: axis.kind === 'logarithmic' ? 'logarithmic' : 'linear',
    title: { text: asPlainText(axisTitle(axis, chart, place)), style: { color: 'var(--gray-11)' } },
    opposite: axis.opposite,
    // With horizontal bars, the first series is at the top, as it is first in the legend.
    ...(chart.type === 'bar' ? { reversedStacks: false } : {}),
    ...(min === null ? {} : { min }),
    ...(max === null ? {} : { max }),
    ...(ceiling === null ? {} : { ceiling }),
    ...(chart.type === 'bar' ? { tickPixelInterval: 120 } : { tickPixelInterval: 56 }),
    // The value of the longest horizontal bar must fit next to it.
    ...(chart.type === 'bar' && max === null ? { maxPadding: 0.18 } : {}),
    gridLineColor: 'var(--gray-a4)',
    labels: {
      enabled: axis.labels,
      style: { ...labelStyle, textOverflow: 'none' },
      formatter: ({ value }) =>
        asPlainText(
          typeof value !== 'number'
            ? value
            : chart.stacking === 'percent'
              ? percentage(value)
              : format.short(value),
        ),
    },
  };
}

function axisTitle(axis: ChartAxis, chart: ChartModel, place: number): string {
  const column = chart.series.find((series) => series.yAxis === place)?.column ?? null;
  return withUnit(axis.title ?? '', column);
}

/** A title with its unit, unless each number already has the unit. */
function withUnit(title: string, column: ShownColumn | null): string {
  if (column === null || column.format === 'money' || column.format === 'percent') return title;
  const unit = unitSign(column);
  return unit === '' || title.includes(`(${unit})`) ? title : `${title} (${unit})`.trim();
}
