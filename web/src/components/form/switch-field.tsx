import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import type { FieldTexts, FormControl } from './form-types';
import { SwitchLine } from './switch-line';
import { useField } from './use-field';

interface SwitchFieldProps<T extends FieldValues> extends FieldTexts {
  control: FormControl<T>;
  name: FieldPathByValue<T, boolean>;
}

/** A field of a form that is on or off. */
export function SwitchField<T extends FieldValues>(props: SwitchFieldProps<T>) {
  const { control, name, label, description, disabled } = props;
  const { value, onChange, onBlur, ref, readOnly } = useField<T, boolean>(control, name);
  return (
    <SwitchLine
      ref={ref}
      label={label}
      description={description}
      checked={value}
      disabled={disabled === true || readOnly}
      onBlur={onBlur}
      onCheckedChange={onChange}
    />
  );
}
