import {
  anyOf,
  boolean,
  lenient,
  list,
  made,
  nullable,
  number as numberFrom,
  object,
  oneOf,
  optional,
  pair,
  string,
  value,
  whole,
  type Of,
} from '@/lib/shape';

/**
 * The only chart configuration that is drawn: keys that we know, JSON values only. Keys that are not named here
 * (formatters, events, HTML switches, URLs, symbols, `__proto__`) do not survive reading. A known optional key with
 * a wrong value is dropped too; wrong data is an error, because a chart with wrong numbers is worse than no chart.
 */

const textLimit = 300;
/** The server passes on names of the data in full, up to this length. */
const nameLimit = 600;
const exactLimit = 4_000;

const text = made(string, (written) => written.slice(0, textLimit));
const number = numberFrom(-1e15, 1e15);

/** A title as Highcharts writes it (`{ text }`), or plain. */
const title = anyOf(
  text,
  made(object({ text }), (written) => written.text),
);

export const chartTypes = [
  'line',
  'spline',
  'area',
  'areaspline',
  'column',
  'bar',
  'pie',
  'scatter',
] as const;
const chartType = oneOf(chartTypes);

const nameText = made(string, (written) => written.slice(0, nameLimit));
const label = anyOf(nameText, made(number, String));

const labels = object({
  enabled: lenient(boolean),
  rotation: lenient(numberFrom(-90, 90)),
});

const axis = object({
  type: lenient(oneOf(['linear', 'logarithmic', 'datetime', 'category'])),
  title: lenient(title),
  categories: optional(list(label, 0, 10_000)),
  labels: lenient(labels),
  min: lenient(number),
  max: lenient(number),
  opposite: lenient(boolean),
});

const axes = anyOf(
  made(axis, (one) => [one]),
  list(axis, 1, 2),
);

const coordinate = anyOf(number, nameText);
const amount = nullable(number);
const index = whole(0, 99);

const point = anyOf(
  amount,
  pair(coordinate, amount),
  object({
    x: optional(coordinate),
    y: amount,
    name: lenient(label),
    colorIndex: lenient(index),
  }),
);

const seriesItem = object({
  name: lenient(label),
  type: lenient(chartType),
  data: list(point, 0, Infinity),
  colorIndex: lenient(index),
  yAxis: lenient(whole(0, 1)),
  /** The column that its numbers come from. */
  column: lenient(text),
});

const seriesOptions = object({
  stacking: lenient(oneOf(['normal', 'percent'])),
  innerSize: lenient(
    value((input): input is string => typeof input === 'string' && /^\d{1,2}%$/u.test(input), 'a percentage'),
  ),
  dataLabels: lenient(object({ enabled: lenient(boolean) })),
  showInLegend: lenient(boolean),
});

const plotOptions = object({
  series: lenient(seriesOptions),
  line: lenient(seriesOptions),
  spline: lenient(seriesOptions),
  area: lenient(seriesOptions),
  areaspline: lenient(seriesOptions),
  column: lenient(seriesOptions),
  bar: lenient(seriesOptions),
  pie: lenient(seriesOptions),
  scatter: lenient(seriesOptions),
});

/** How people read a column; the server sends the same for tables. */
const column = object({
  name: text,
  label: text,
  unit: lenient(text),
  format: oneOf([
    'text',
    'number',
    'count',
    'money',
    'percent',
    'fraction',
    'plain',
    'date',
    'timestamp',
    'week',
    'month',
    'quarter',
    'year',
  ]),
  role: oneOf(['time', 'category', 'measure', 'key']),
  adds: lenient(boolean),
  until: lenient(text),
});

/** What our server adds to a chart and the options of Highcharts cannot express. */
const said = object({
  columns: lenient(list(column, 0, 100)),
  x: lenient(text),
  split: lenient(text),
  compared: lenient(boolean),
  incomplete: lenient(coordinate),
  /** The name of the category without a value. */
  empty: lenient(nameText),
  /** Names as they are drawn, each with its name in the data: the latter is for files only and is never drawn. */
  exact: lenient(
    list(
      pair(
        nameText,
        made(string, (written) => written.slice(0, exactLimit)),
      ),
      0,
      20_000,
    ),
  ),
});

/** What a chart configuration may contain, in Highcharts' own structure. */
export const chartConfigSchema = object({
  type: lenient(chartType),
  chart: lenient(object({ type: lenient(chartType), inverted: lenient(boolean) })),
  title: lenient(title),
  subtitle: lenient(title),
  xAxis: optional(axes),
  yAxis: optional(axes),
  series: list(seriesItem, 1, 100),
  legend: lenient(object({ enabled: lenient(boolean) })),
  plotOptions: lenient(plotOptions),
  tooltip: lenient(
    object({
      valuePrefix: lenient(text),
      valueSuffix: lenient(text),
      valueDecimals: lenient(whole(0, 10)),
      shared: lenient(boolean),
    }),
  ),
  parley: lenient(said),
});

/** A configuration after parsing: only known keys are left. */
export type ChartConfig = Of<typeof chartConfigSchema>;

/** The kinds of chart that are drawn. */
export type ChartType = (typeof chartTypes)[number];

/** The options of one kind of series. */
export type SeriesOptions = Of<typeof seriesOptions>;
