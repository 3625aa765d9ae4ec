import { TextArea as ThemesTextArea } from '@radix-ui/themes';
import type { FieldValues } from 'react-hook-form';
import { Field } from './field';
import { useText, type TextProps } from './use-text';
import styles from './form.module.css';

interface TextAreaProps<T extends FieldValues> extends TextProps<T> {
  /** Lines at first; it grows with its text, up to three times as many. */
  rows?: number | undefined;
}

/** A text of several lines. */
export function TextArea<T extends FieldValues>({ rows = 3, ...props }: TextAreaProps<T>) {
  const { field, input } = useText(props);
  return (
    <Field {...field}>
      {(ids) => (
        <ThemesTextArea
          {...ids}
          {...input}
          rows={rows}
          className={styles.area ?? ''}
          style={{ maxHeight: `${rows * 3 * 20 + 16}px` }}
        />
      )}
    </Field>
  );
}
