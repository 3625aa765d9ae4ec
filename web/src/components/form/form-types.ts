import type { Control, FieldValues } from 'react-hook-form';

/** What ties a field to its form. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a form makes of its values is nothing to its fields
export type FormControl<T extends FieldValues> = Control<T, any, any>;

/** One entry of a select or combobox. */
export interface Choice<V extends string | number> {
  readonly value: V;
  readonly label: string;
  /** A second line, in small. */
  readonly detail?: string | undefined;
  readonly disabled?: boolean;
  /** Entries of one group are listed under its name. */
  readonly group?: string | undefined;
}

/** What every field of a form shows beside its control. */
export interface FieldTexts {
  label: string;
  /** What to know before filling it in. */
  description?: string | undefined;
  /** Marked as one that must be filled in. */
  required?: boolean | undefined;
  disabled?: boolean | undefined;
}
