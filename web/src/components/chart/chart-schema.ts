import * as z from 'zod/mini';

/**
 * The only chart configuration that is drawn: keys that we know, JSON values only. Keys that are not named here
 * (formatters, events, HTML switches, URLs, symbols, `__proto__`) do not survive parsing. A known optional key
 * with a wrong value is dropped too; wrong data is an error, for a chart that draws other numbers than were
 * meant is worse than none.
 */

// Compiling a schema to code would need `unsafe-eval`, and the attempt alone is reported as a violation of the policy.
z.config({ jitless: true });

const textLimit = 300;

const text = z.pipe(
  z.string(),
  z.transform((value) => value.slice(0, textLimit)),
);
const number = z.number().check(z.refine((value) => Math.abs(value) <= 1e15, 'number out of range'));

/** Optional, and left out rather than fatal when its value is wrong. */
function lenient<T extends z.ZodMiniType>(schema: T) {
  return z.catch(z.optional(schema), undefined);
}

/** A title as Highcharts writes it (`{ text }`), or plain. */
const title = z.union([
  text,
  z.pipe(
    z.object({ text }),
    z.transform((value) => value.text),
  ),
]);

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
const chartType = z.enum(chartTypes);

const label = z.union([
  text,
  z.pipe(
    number,
    z.transform((value) => String(value)),
  ),
]);

const labels = z.object({
  enabled: lenient(z.boolean()),
  rotation: lenient(z.number().check(z.gte(-90), z.lte(90))),
});

const axis = z.object({
  type: lenient(z.enum(['linear', 'logarithmic', 'datetime', 'category'])),
  title: lenient(title),
  categories: z.optional(z.array(label).check(z.maxLength(10_000))),
  labels: lenient(labels),
  min: lenient(number),
  max: lenient(number),
  opposite: lenient(z.boolean()),
});

const axes = z.pipe(
  z.union([axis, z.array(axis).check(z.minLength(1), z.maxLength(2))]),
  z.transform((value) => (Array.isArray(value) ? value : [value])),
);

const coordinate = z.union([number, text]);
const amount = z.nullable(number);
const index = z.int().check(z.gte(0), z.lte(99));

const point = z.union([
  amount,
  z.tuple([coordinate, amount]),
  z.object({
    x: z.optional(coordinate),
    y: amount,
    name: lenient(label),
    colorIndex: lenient(index),
  }),
]);

const seriesItem = z.object({
  name: lenient(label),
  type: lenient(chartType),
  data: z.array(point),
  colorIndex: lenient(index),
  yAxis: lenient(z.int().check(z.gte(0), z.lte(1))),
  /** The column that its numbers come from. */
  column: lenient(text),
});

const seriesOptions = z.object({
  stacking: lenient(z.enum(['normal', 'percent'])),
  innerSize: lenient(z.string().check(z.regex(/^\d{1,2}%$/u))),
  dataLabels: lenient(z.object({ enabled: lenient(z.boolean()) })),
  showInLegend: lenient(z.boolean()),
});

const plotOptions = z.object({
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

/** How people read a column, as the server says it of tables too. */
const column = z.object({
  name: text,
  label: text,
  unit: lenient(text),
  format: z.enum([
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
  role: z.enum(['time', 'category', 'measure', 'key']),
  adds: lenient(z.boolean()),
  until: lenient(text),
});

/** What our server says of a chart beyond what Highcharts has words for. */
const said = z.object({
  columns: lenient(z.array(column).check(z.maxLength(100))),
  x: lenient(text),
  split: lenient(text),
  compared: lenient(z.boolean()),
  incomplete: lenient(coordinate),
});

/** What may stand in a chart configuration, in Highcharts' own shape. */
export const chartConfigSchema = z.object({
  type: lenient(chartType),
  chart: lenient(z.object({ type: lenient(chartType), inverted: lenient(z.boolean()) })),
  title: lenient(title),
  subtitle: lenient(title),
  xAxis: z.optional(axes),
  yAxis: z.optional(axes),
  series: z.array(seriesItem).check(z.minLength(1), z.maxLength(100)),
  legend: lenient(z.object({ enabled: lenient(z.boolean()) })),
  plotOptions: lenient(plotOptions),
  tooltip: lenient(
    z.object({
      valuePrefix: lenient(text),
      valueSuffix: lenient(text),
      valueDecimals: lenient(z.int().check(z.gte(0), z.lte(10))),
      shared: lenient(z.boolean()),
    }),
  ),
  parley: lenient(said),
});

/** A configuration after parsing: only known keys are left. */
export type ChartConfig = z.infer<typeof chartConfigSchema>;

/** The kinds of chart that are drawn. */
export type ChartType = (typeof chartTypes)[number];

/** The options of one kind of series. */
export type SeriesOptions = z.infer<typeof seriesOptions>;
