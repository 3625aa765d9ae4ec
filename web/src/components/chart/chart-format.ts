import type { ChartModel } from './chart-model';

const upToTwo = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });
const exact = new Intl.NumberFormat('en', { maximumFractionDigits: 6 });

/** Numbers along an axis: 1,500 is "1.5k", 0.333 is "0.33". */
export function shortNumber(value: number): string {
  return Math.abs(value) >= 1000 ? `${upToTwo.format(value / 1000)}k` : smallNumber(value);
}

// Two decimals are the rule; a value that they would flatten to zero keeps its first digits.
function smallNumber(value: number): string {
  return value !== 0 && Math.abs(value) < 0.01 ? String(Number(value.toPrecision(2))) : upToTwo.format(value);
}

/** A share as the spec writes it: always at most two decimals. */
export function percentage(value: number): string {
  return `${upToTwo.format(value)}%`;
}

/** A value in full, as tooltips and tables show it, with the chart's prefix, suffix and decimals. */
export function fullNumber(value: number, chart: ChartModel): string {
  return `${chart.valuePrefix}${digits(value, chart)}${chart.valueSuffix}`;
}

function digits(value: number, chart: ChartModel): string {
  if (chart.valueDecimals !== null) {
    const decimals = chart.valueDecimals;
    return value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
  }
  return chart.valueSuffix.trim() === '%' ? upToTwo.format(value) : exact.format(value);
}

/** Text that Highcharts cannot take for markup. It reads `<` and `&` in labels as HTML, so they go in as entities. */
export function asPlainText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** A date without the parts that are all zero. */
export function dateText(time: number): string {
  const iso = new Date(time).toISOString();
  return iso.endsWith('T00:00:00.000Z') ? iso.slice(0, 10) : iso.slice(0, 16).replace('T', ' ');
}
