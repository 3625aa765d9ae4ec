import type { Control, FieldValues } from 'react-hook-form';

/** What connects a field with its form. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- what a form makes of its values is nothing to its fields
export type FormControl<T extends FieldValues> = Control<T, any, any>;

/** One entry of a select or combobox. */
export interface Choice<V extends string | number> {
  readonly value: V;
  readonly label: string;
  /** A second line, in small type. */
  readonly detail?: string | undefined;
  readonly disabled?: boolean;
  /** Entries of one group are listed under its name. */
  readonly group?: string | undefined;
}

/** What every field of a form shows next to its control. */
export interface FieldTexts {
  label: string;
  /** A hint for filling it in. */
  description?: string | undefined;
  /** Marks it as required. */
  required?: boolean | undefined;
  disabled?: boolean | undefined;
}
