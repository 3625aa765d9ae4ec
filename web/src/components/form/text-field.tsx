import { TextField as ThemesTextField } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import { Field } from './field';
import type { FieldTexts, FormControl } from './form-types';
import { useField } from './use-field';

interface TextFieldProps<T extends FieldValues> extends FieldTexts {
  control: FormControl<T>;
  name: FieldPathByValue<T, string>;
  /** Counted as people count characters, and shown; more can be typed, so that a long text can be pasted and cut. */
  limit?: number | undefined;
  placeholder?: string | undefined;
  type?: 'text' | 'email' | 'url' | 'search' | undefined;
  autoComplete?: string | undefined;
  /** Something small before the text, such as an icon. */
  icon?: ReactNode;
}

/** One line of text. */
export function TextField<T extends FieldValues>(props: TextFieldProps<T>) {
  const { control, name, label, description, required, disabled, limit, placeholder, type, icon } = props;
  const { value, onChange, onBlur, ref, problem, readOnly } = useField<T, string>(control, name);
  return (
    <Field
      label={label}
      description={description}
      required={required}
      problem={problem}
      length={limit === undefined ? undefined : { text: value, limit }}
    >
      {(ids) => (
        <ThemesTextField.Root
          {...ids}
          ref={ref}
          name={name}
          type={type ?? 'text'}
          value={value}
          readOnly={readOnly}
          disabled={disabled}
          aria-required={required}
          placeholder={placeholder}
          autoComplete={props.autoComplete ?? 'off'}
          onBlur={onBlur}
          onChange={(event) => onChange(event.target.value)}
          {...(problem !== undefined && { color: 'red' as const })}
        >
          {icon !== undefined && <ThemesTextField.Slot>{icon}</ThemesTextField.Slot>}
        </ThemesTextField.Root>
      )}
    </Field>
  );
}
