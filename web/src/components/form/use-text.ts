import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import type { FieldTexts, FormControl } from './form-types';
import { useField } from './use-field';

/** The props of a text field, of one line or of several. */
export interface TextProps<T extends FieldValues> extends FieldTexts {
  control: FormControl<T>;
  name: FieldPathByValue<T, string>;
  /** Counted as people count characters, and shown; more can be typed, so that a long text can be pasted and cut. */
  limit?: number | undefined;
  placeholder?: string | undefined;
  /** What becomes of a text that is typed; without it, it stays as it is. */
  adjust?: ((typed: string) => string) | undefined;
  /** Its errors are shown while it is edited. */
  eager?: boolean | undefined;
}

/** The wiring of a text field: the props of the field around it and of the input element. */
export function useText<T extends FieldValues>(props: TextProps<T>) {
  const { control, name, label, description, required, disabled, limit, placeholder } = props;
  const { adjust = (typed: string) => typed, eager } = props;
  const { value, onChange, onBlur, ref, problem, readOnly } = useField<T, string>(control, name, eager);
  return {
    field: {
      label,
      description,
      required,
      problem,
      length: limit === undefined ? undefined : { text: value, limit },
    },
    input: {
      ref,
      name,
      value,
      readOnly,
      disabled,
      'aria-required': required,
      placeholder,
      onBlur,
      onChange: (event: { target: { value: string } }) => onChange(adjust(event.target.value)),
      ...(problem !== undefined && { color: 'red' as const }),
    },
  };
}
