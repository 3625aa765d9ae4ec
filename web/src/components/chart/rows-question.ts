import { timeOf } from '@/lib/period';
import type { ShownColumn } from '@/lib/wire';
import { isNamed } from './chart-abilities';
import { categoryNames, sliceName, type ChartModel, type ChartPoint } from './chart-model';

/** The rows behind a mark of a chart: the mark in words, and the question that asks for them. */
export interface RowsQuestion {
  place: string;
  question: string;
}

/** A part of the question: a time, or a condition. */
interface Part {
  isTime: boolean;
  text: string;
}

const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** A longer name is not a value that a person would ask for. */
const longestName = 200;

/**
 * Asks for the rows behind a mark of the drawn chart; `series` is null for all marks at its place. Null if they cannot be
 * named in words: the others together, an empty value, a bin. It follows the question of the chart, so its conditions
 * stay. Questions are in the language of the data, English, in which the analysts read them.
 */
export function rowsQuestion(
  model: ChartModel,
  drawn: ChartModel,
  mark: { series: number | null; point: number },
): RowsQuestion | null {
  const point = drawn.series[mark.series ?? 0]?.points[mark.point];
  if (point === undefined) return null;
  const shown =
    drawn.type === 'pie' ? sliceName(point, mark.point, drawn) : categoryNames(drawn)?.[mark.point];
  const parts = [partOf(model.xAxis.column, valueAt(model, { point, place: mark.point, shown }), model)];
  if (mark.series !== null && model.splitColumn !== null)
    parts.push(partOf(model.splitColumn, model.series[mark.series]?.name ?? null, model));
  const named = parts.filter((part) => part !== null);
  const [time, ...others] = named.filter((part) => part.isTime);
  // Two times, such as a month and the year that it is compared with, have no common name.
  if (named.length < parts.length || others.length > 0) return null;
  const conditions = named.filter((part) => !part.isTime).map(({ text }) => text);
  const during = time === undefined ? '' : ` of ${time.text}`;
  const where = conditions.length === 0 ? '' : ` where ${conditions.join(' and ')}`;
  return { place: shown ?? time?.text ?? '', question: `Of those, show the rows${during}${where}` };
}

/** The value of the data at a place of the drawing; null for one that the data do not have, such as the others together. */
function valueAt(
  model: ChartModel,
  { point, place, shown }: { point: ChartPoint; place: number; shown: string | undefined },
): string | number | null {
  const names = categoryNames(model);
  // Times are drawn in the order of the data, in words; other names as the data have them, in an order of their own.
  if (model.xAxis.column?.role === 'time') return names === null ? point.x : (names[place] ?? null);
  return shown !== undefined && names?.includes(shown) === true ? shown : null;
}

function partOf(
  column: ShownColumn | null,
  value: string | number | null,
  { empty, exact }: ChartModel,
): Part | null {
  if (!isNamed(column) || value === null || value === empty) return null;
  if (column.role === 'time') {
    const time = typeof value === 'number' ? value : timeOf(value);
    const text = time === null ? null : periodOf(column, new Date(time));
    return text === null ? null : { isTime: true, text };
  }
  if (typeof value !== 'string') return null;
  const name = exact.get(value) ?? value;
  if (name.trim() === '' || name.length > longestName || /[“”\n]/u.test(name)) return null;
  return { isTime: false, text: `${column.name} is “${name}”` };
}

/** A period as a person would type it; null for one that has no name. */
function periodOf({ format }: ShownColumn, time: Date): string | null {
  const year = time.getUTCFullYear();
  switch (format) {
    case 'year':
      return String(year);
    case 'quarter':
      return `Q${Math.floor(time.getUTCMonth() / 3) + 1} ${year}`;
    case 'month':
      return month.format(time);
    case 'date':
      return time.toISOString().slice(0, 10);
    default:
      return null;
  }
}
