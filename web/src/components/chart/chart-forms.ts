import { mayChange } from './chart-abilities';
import { categoryNames, type ChartModel, valuesOf } from './chart-model';
import type { ChartType } from './chart-schema';

/** The forms that a person can choose between. A stacked one has columns, or horizontal bars if names are long. */
export const chartForms = ['column', 'stacked', 'bar', 'line', 'area', 'pie'] as const;
export type ChartForm = (typeof chartForms)[number];

/** With more slices nobody can compare them. */
const mostSlices = 12;

const forms: Readonly<Record<ChartType, ChartForm | null>> = {
  column: 'column',
  bar: 'bar',
  line: 'line',
  spline: 'line',
  area: 'area',
  areaspline: 'area',
  pie: 'pie',
  scatter: null,
};

/** The form of a chart; null for one that has no other form. */
export function formOf({ type, stacking }: ChartModel): ChartForm | null {
  const bars = type === 'column' || type === 'bar';
  return bars && stacking === 'normal' ? 'stacked' : forms[type];
}

/**
 * The forms in which the numbers of a chart can be drawn without saying something wrong: a line needs an order such as
 * time, a stack and a pie need amounts that add up. None for charts of several kinds of marks or several axes.
 */
export function formsOf(chart: ChartModel): readonly ChartForm[] {
  const own = formOf(chart);
  if (!mayChange(chart)) return [];
  const names = categoryNames(chart);
  const isTimed = chart.xAxis.kind === 'datetime' || chart.xAxis.column?.role === 'time';
  const adds = chart.series.every(({ column }) => column?.adds === true);
  const stacks = adds && chart.series.length > 1;
  const fitsPie =
    adds &&
    !isTimed &&
    names !== null &&
    chart.series.length === 1 &&
    names.length <= mostSlices &&
    valuesOf(chart).every((value) => value >= 0);
  const fits: Readonly<Record<ChartForm, boolean>> = {
    column: isTimed || names !== null,
    stacked: stacks,
    bar: !isTimed && names !== null,
    line: isTimed,
    area: isTimed && (chart.series.length === 1 || adds),
    pie: fitsPie,
  };
  return chartForms.filter((form) => form === own || fits[form]);
}

/** The chart in another form. Its numbers stay as they are. */
export function inForm(chart: ChartModel, form: ChartForm): ChartModel {
  if (form === formOf(chart)) return chart;
  const type = form === 'stacked' ? 'column' : form;
  const stacks = form === 'stacked' || (form === 'area' && chart.series.length > 1);
  return {
    ...chart,
    type,
    stacking: stacks ? 'normal' : null,
    innerSize: null,
    legend: form === 'pie' || chart.series.length > 1,
    series: chart.series.map((series) => ({ ...series, type })),
  };
}
