import { Text } from '@radix-ui/themes';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import type { FormControl } from '@/components/form/form-types';
import { useField } from '@/components/form/use-field';
import { CodeEditor } from './code-editor';

interface CodeFieldProps<T extends FieldValues> {
  control: FormControl<T>;
  /** The field for the code, */
  name: FieldPathByValue<T, string>;
  /** and the one for its language. */
  languageName: FieldPathByValue<T, string>;
  label: string;
}

/** Code as a field of a form. */
export function CodeField<T extends FieldValues>({ control, name, languageName, label }: CodeFieldProps<T>) {
  const { ref, value, onChange, onBlur, readOnly, problem } = useField<T, string>(control, name);
  const language = useField<T, string>(control, languageName);
  return (
    <div>
      <Text as="p" size="2" weight="medium" mb="1">
        {label}
      </Text>
      <CodeEditor
        ref={ref}
        label={label}
        value={value}
        onChange={onChange}
        onBlur={onBlur}
        language={language.value}
        onLanguage={language.onChange}
        readOnly={readOnly}
        problem={problem}
      />
      {problem !== undefined && (
        <Text as="p" size="1" color="red" mt="1" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}
