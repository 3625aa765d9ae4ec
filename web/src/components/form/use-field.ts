import { use } from 'react';
import {
  useController,
  useFormContext,
  type FieldPath,
  type FieldPathByValue,
  type FieldValues,
  type RefCallBack,
} from 'react-hook-form';
import { FormSettingsContext } from './form-settings';
import type { FormControl } from './form-types';

interface FieldState<V> {
  value: V;
  onChange: (value: V) => void;
  onBlur: () => void;
  ref: RefCallBack;
  /** The message of the rule that the value breaks. */
  problem: string | undefined;
  readOnly: boolean;
}

/** One field of the form around it: its value, and what is wrong with that. */
export function useField<T extends FieldValues, V>(
  control: FormControl<T>,
  name: FieldPathByValue<T, V>,
): FieldState<V> {
  const path = name as FieldPath<T>;
  const { trigger } = useFormContext<T>();
  const { field, fieldState } = useController({ control, name: path });
  const { readOnly } = use(FormSettingsContext);
  const problem = fieldState.error?.message;
  return {
    value: field.value,
    onChange: (value) => {
      field.onChange(value);
      // A message goes as soon as what it says is mended, also one of the server or of a wizard's step.
      if (fieldState.invalid) void trigger(path);
    },
    onBlur: field.onBlur,
    ref: field.ref,
    problem: problem === '' ? undefined : problem,
    readOnly,
  };
}
