import { TextArea as ThemesTextArea } from '@radix-ui/themes';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import { Field } from './field';
import type { FieldTexts, FormControl } from './form-types';
import { useField } from './use-field';
import styles from './form.module.css';

interface TextAreaProps<T extends FieldValues> extends FieldTexts {
  control: FormControl<T>;
  name: FieldPathByValue<T, string>;
  /** Counted as people count characters, and shown. */
  limit?: number | undefined;
  placeholder?: string | undefined;
  /** Lines at first; it grows with its text, up to three times as many. */
  rows?: number | undefined;
}

/** A text of several lines. */
export function TextArea<T extends FieldValues>(props: TextAreaProps<T>) {
  const { control, name, label, description, required, disabled, limit, placeholder, rows = 3 } = props;
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
        <ThemesTextArea
          {...ids}
          ref={ref}
          name={name}
          rows={rows}
          value={value}
          readOnly={readOnly}
          disabled={disabled}
          aria-required={required}
          placeholder={placeholder}
          className={styles.area ?? ''}
          style={{ maxHeight: `${rows * 3 * 20 + 16}px` }}
          onBlur={onBlur}
          onChange={(event) => onChange(event.target.value)}
          {...(problem !== undefined && { color: 'red' as const })}
        />
      )}
    </Field>
  );
}
