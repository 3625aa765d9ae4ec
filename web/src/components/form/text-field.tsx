import { TextField as ThemesTextField } from '@radix-ui/themes';
import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Field } from './field';
import { useText, type TextProps } from './use-text';

interface TextFieldProps<T extends FieldValues> extends TextProps<T> {
  type?: 'text' | 'email' | 'url' | 'search' | undefined;
  autoComplete?: string | undefined;
  /** Something small before the text, such as an icon. */
  icon?: ReactNode;
  /** What comes after the text and cannot be changed, such as the ending of a file's name. */
  ending?: string | undefined;
  /** The whole text is selected with the focus, because people mostly type a different one. */
  selected?: boolean | undefined;
}

/** One line of text. */
export function TextField<T extends FieldValues>(props: TextFieldProps<T>) {
  const { type = 'text', autoComplete = 'off', icon, ending, selected } = props;
  const { field, input } = useText(props);
  return (
    <Field {...field}>
      {(ids) => (
        <ThemesTextField.Root
          {...ids}
          {...input}
          type={type}
          autoComplete={autoComplete}
          {...(selected === true && { onFocus: ({ currentTarget }) => currentTarget.select() })}
        >
          {icon !== undefined && <ThemesTextField.Slot>{icon}</ThemesTextField.Slot>}
          {ending !== undefined && <ThemesTextField.Slot side="right">{ending}</ThemesTextField.Slot>}
        </ThemesTextField.Root>
      )}
    </Field>
  );
}
