import { z } from 'zod';

/**
 * The only chart configuration that is drawn: keys that we know, JSON values only. Keys that are not named here
 * (formatters, events, HTML switches, URLs, symbols, `__proto__`) do not survive parsing. A known optional key
 * with a wrong value is dropped too; wrong data is an error, for a chart that draws other numbers than were
 * meant is worse than none.
 */

// Compiling a schema to code would need `unsafe-eval`, and the attempt alone is reported as a violation of the policy.
z.config({ jitless: true });

const textLimit = 300;

const text = z.string().transform((value) => value.slice(0, textLimit));
const number = z.number().refine((value) => Math.abs(value) <= 1e15, 'number out of range');

/** Optional, and left out rather than fatal when its value is wrong. */
function lenient<T extends z.ZodType>(schema: T) {
  return schema.optional().catch(undefined);
}

/** A title as Highcharts writes it (`{ text }`), or plain. */
const title = z.union([text, z.object({ text }).transform((value) => value.text)]);

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

const label = z.union([text, number.transform(String)]);

const labels = z.object({
  enabled: lenient(z.boolean()),
  rotation: lenient(z.number().min(-90).max(90)),
});

const axis = z.object({
  type: lenient(z.enum(['linear', 'logarithmic', 'datetime', 'category'])),
  title: lenient(title),
  categories: z.array(label).max(10_000).optional(),
  labels: lenient(labels),
  min: lenient(number),
  max: lenient(number),
  opposite: lenient(z.boolean()),
});

const axes = z
  .union([axis, z.array(axis).min(1).max(2)])
  .transform((value) => (Array.isArray(value) ? value : [value]));

const coordinate = z.union([number, text]);
const amount = number.nullable();

const point = z.union([
  amount,
  z.tuple([coordinate, amount]),
  z.object({
    x: coordinate.optional(),
    y: amount,
    name: lenient(label),
    colorIndex: lenient(z.number().int().min(0).max(99)),
  }),
]);

const seriesItem = z.object({
  name: lenient(label),
  type: lenient(chartType),
  data: z.array(point),
  colorIndex: lenient(z.number().int().min(0).max(99)),
  yAxis: lenient(z.number().int().min(0).max(1)),
});

const seriesOptions = z.object({
  stacking: lenient(z.enum(['normal', 'percent'])),
  innerSize: lenient(z.string().regex(/^\d{1,2}%$/u)),
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

/** What may stand in a chart configuration, in Highcharts' own shape. */
export const chartConfigSchema = z.object({
  type: lenient(chartType),
  chart: lenient(z.object({ type: lenient(chartType), inverted: lenient(z.boolean()) })),
  title: lenient(title),
  subtitle: lenient(title),
  xAxis: axes.optional(),
  yAxis: axes.optional(),
  series: z.array(seriesItem).min(1).max(100),
  legend: lenient(z.object({ enabled: lenient(z.boolean()) })),
  plotOptions: lenient(plotOptions),
  tooltip: lenient(
    z.object({
      valuePrefix: lenient(text),
      valueSuffix: lenient(text),
      valueDecimals: lenient(z.number().int().min(0).max(10)),
      shared: lenient(z.boolean()),
    }),
  ),
});

/** A configuration after parsing: only known keys are left. */
export type ChartConfig = z.infer<typeof chartConfigSchema>;

/** The kinds of chart that are drawn. */
export type ChartType = (typeof chartTypes)[number];

/** The options of one kind of series. */
export type SeriesOptions = z.infer<typeof seriesOptions>;
