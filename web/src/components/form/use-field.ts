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

/**
 * One field of the form around it: its value, and the error of the value. The errors of an eager one are shown while
 * it is edited.
 */
export function useField<T extends FieldValues, V>(
  control: FormControl<T>,
  name: FieldPathByValue<T, V>,
  eager = false,
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
      // A message disappears as soon as the error is corrected, also one of the server or of a wizard's step.
      if (eager || fieldState.invalid) void trigger(path);
    },
    onBlur: field.onBlur,
    ref: field.ref,
    problem: problem === '' ? undefined : problem,
    readOnly,
  };
}
