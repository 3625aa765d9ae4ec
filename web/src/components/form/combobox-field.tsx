import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import { Combobox, type ComboboxSource } from './combobox';
import { Field } from './field';
import type { Choice, FieldTexts, FormControl } from './form-types';
import { useField } from './use-field';

interface ComboboxTexts<V extends string | number> extends FieldTexts, ComboboxSource<V> {
  placeholder?: string | undefined;
}

interface ComboboxFieldProps<T extends FieldValues, V extends string | number> extends ComboboxTexts<V> {
  control: FormControl<T>;
  /** A field that holds the value of one entry, or `null` for none. */
  name: FieldPathByValue<T, V | null>;
  /** The choice can be cleared. */
  clearable?: boolean | undefined;
  onChosen?: ((value: V | null) => void) | undefined;
}

/** Chooses one entry of a list that can be searched. */
export function ComboboxField<T extends FieldValues, V extends string | number>(
  props: ComboboxFieldProps<T, V>,
) {
  const { control, name, label, description, required, clearable, onChosen, disabled, ...source } = props;
  const field = useField<T, V | null>(control, name);
  return (
    <Field label={label} description={description} required={required} problem={field.problem}>
      {(ids) => (
        <Combobox
          {...source}
          {...ids}
          ref={field.ref}
          label={label}
          required={required}
          disabled={disabled === true || field.readOnly}
          several={false}
          clearable={clearable === true}
          value={field.value === null ? [] : [field.value]}
          onChange={([next = null]) => {
            field.onChange(next);
            onChosen?.(next);
          }}
          onBlur={field.onBlur}
        />
      )}
    </Field>
  );
}

interface SeveralFieldProps<T extends FieldValues, V extends string | number> extends ComboboxTexts<V> {
  control: FormControl<T>;
  /** A field that holds the values of any number of entries. */
  name: FieldPathByValue<T, V[]>;
  /** The maximum number of entries that may be chosen. */
  max?: number | undefined;
}

/** Chooses any number of entries from a list that can be searched. */
export function SeveralField<T extends FieldValues, V extends string | number>(
  props: SeveralFieldProps<T, V>,
) {
  const { control, name, label, description, required, disabled, max, ...source } = props;
  const field = useField<T, V[]>(control, name);
  const full = max !== undefined && field.value.length >= max;
  const choices: readonly Choice<V>[] = full
    ? source.choices.map((choice) => ({ ...choice, disabled: !field.value.includes(choice.value) }))
    : source.choices;
  return (
    <Field label={label} description={description} required={required} problem={field.problem}>
      {(ids) => (
        <Combobox
          {...source}
          {...ids}
          choices={choices}
          ref={field.ref}
          label={label}
          required={required}
          disabled={disabled === true || field.readOnly}
          several
          clearable
          value={field.value}
          onChange={(next) => field.onChange([...next])}
          onBlur={field.onBlur}
        />
      )}
    </Field>
  );
}
