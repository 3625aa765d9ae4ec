import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import { formatClock, halfHours, monthName, weekdayName } from '@/lib/calendar';
import type { Choice, FieldTexts, FormControl } from './form-types';
import { SelectField } from './select-field';

/** The maximum height of a list, in px. */
const maxHeight = 260;

const upTo = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index);

const times: readonly Choice<string>[] = halfHours.map((value) => ({ value, label: formatClock(value) }));
// The week begins on Monday for most people, but on Sunday in the server's numbering.
const weekdays: readonly Choice<number>[] = [1, 2, 3, 4, 5, 6, 0].map((value) => ({
  value,
  label: weekdayName(value),
}));
const days: readonly Choice<number>[] = upTo(1, 31).map((value) => ({ value, label: String(value) }));
const months: readonly Choice<number>[] = upTo(1, 12).map((value) => ({ value, label: monthName(value) }));

interface CalendarFieldProps<T extends FieldValues, V> extends FieldTexts {
  control: FormControl<T>;
  name: FieldPathByValue<T, V | null>;
  placeholder?: string | undefined;
}

/** A time of day, every 30 minutes; the value is `HH:MM` of 24 hours. */
export function TimeField<T extends FieldValues>(props: CalendarFieldProps<T, string>) {
  return <SelectField {...props} choices={times} maxHeight={maxHeight} />;
}

/** A day of the week; the value is 0 for Sunday to 6. */
export function WeekdayField<T extends FieldValues>(props: CalendarFieldProps<T, number>) {
  return <SelectField {...props} choices={weekdays} maxHeight={maxHeight} />;
}

/** A day of the month, 1 to 31. */
export function DayOfMonthField<T extends FieldValues>(props: CalendarFieldProps<T, number>) {
  return <SelectField {...props} choices={days} maxHeight={maxHeight} />;
}

/** A month, 1 to 12. */
export function MonthField<T extends FieldValues>(props: CalendarFieldProps<T, number>) {
  return <SelectField {...props} choices={months} maxHeight={maxHeight} />;
}
