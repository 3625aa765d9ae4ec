import { type QuantityFormat, quantityFormat } from '@/lib/quantity';
import { locale as ownLocale } from '@/lib/locale';
import type { ChartModel, ChartSeries } from './chart-model';

const formats = new Map<string, QuantityFormat>();

function cached(key: string, make: () => QuantityFormat): QuantityFormat {
  const known = formats.get(key);
  if (known !== undefined) return known;
  const made = make();
  formats.set(key, made);
  return made;
}

/**
 * How the numbers of a series are written: by the server's description of their column, else by the prefix, suffix
 * and decimals of the configuration. An axis has the format of its first series.
 */
export function valueFormat(
  chart: ChartModel,
  series: ChartSeries | undefined,
  locale: string = ownLocale,
): QuantityFormat {
  const column = series?.column;
  if (column !== undefined && column !== null) {
    const { format, unit = '' } = column;
    return cached(`${locale}/${format}/${unit}`, () => quantityFormat({ format, unit }, {}, locale));
  }
  const { valuePrefix, valueSuffix, valueDecimals } = chart;
  const isShare = valueSuffix.trim() === '%';
  const decimals = valueDecimals ?? undefined;
  const key = `${locale}/${valuePrefix}/${valueSuffix}/${String(decimals)}`;
  return cached(key, () => {
    const plain = quantityFormat({ format: isShare ? 'percent' : 'number' }, { decimals }, locale);
    if (isShare) return plain;
    return {
      full: (value) => `${valuePrefix}${plain.full(value)}${valueSuffix}`,
      short: (value) => `${valuePrefix}${plain.short(value)}${valueSuffix}`,
    };
  });
}

/** A percentage, with two decimals at most. */
export function percentage(value: number, locale: string = ownLocale): string {
  return cached(`${locale}/share`, () => quantityFormat({ format: 'percent' }, {}, locale)).full(value);
}

/** How much one number is above another, as a share of it with its sign; null if there is no such share. */
export function changeText(
  from: number | null,
  to: number | null,
  locale: string = ownLocale,
): string | null {
  if (from === null || to === null || from === 0) return null;
  const writer = new Intl.NumberFormat(locale, {
    style: 'percent',
    maximumFractionDigits: 1,
    signDisplay: 'exceptZero',
  });
  return writer.format((to - from) / Math.abs(from));
}

/**
 * Text that Highcharts cannot take for markup. It reads `<` and `&` in labels as HTML, so they are written as
 * entities.
 */
export function asPlainText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
