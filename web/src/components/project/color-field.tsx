import { RadioCards } from '@radix-ui/themes';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import { Field } from '@/components/form/field';
import type { FormControl } from '@/components/form/form-types';
import { useField } from '@/components/form/use-field';
import { projects as t } from '@/messages/projects';
import { ProjectDot } from './project-tag';
import styles from './project.module.css';

const names: Readonly<Record<string, Parameters<typeof t>[0]>> = {
  'Olive Green': 'color.olive',
  'Royal Blue': 'color.royal',
  'Rose pink': 'color.rose',
  'Teal blue': 'color.teal',
  'Golden yellow': 'color.golden',
  'Scarlet red': 'color.scarlet',
  'Purple grey': 'color.grey',
};

/** The name of a colour for people. */
function colorName(color: string): string {
  return t((Object.hasOwn(names, color) ? names[color] : undefined) ?? 'color.own');
}

interface ColorFieldProps<T extends FieldValues> {
  control: FormControl<T>;
  name: FieldPathByValue<T, string>;
  label: string;
  /** The colours to choose from; the current one is added if it is a different one. */
  colors: readonly string[];
}

/** Chooses the colour of a project by its name. */
export function ColorField<T extends FieldValues>({ control, name, label, colors }: ColorFieldProps<T>) {
  const { value, onChange, onBlur, ref, problem, readOnly } = useField<T, string>(control, name);
  const offered = value === '' || colors.includes(value) ? colors : [...colors, value];
  return (
    <Field label={label} problem={problem} required>
      {(ids) => (
        <RadioCards.Root
          {...ids}
          ref={ref}
          aria-label={label}
          aria-required
          size="1"
          columns={{ initial: '2', sm: '3' }}
          gap="2"
          value={value}
          disabled={readOnly}
          onBlur={onBlur}
          onValueChange={onChange}
        >
          {offered.map((color) => (
            <RadioCards.Item key={color} value={color}>
              <span className={styles.swatch}>
                <ProjectDot color={color} large />
                {colorName(color)}
              </span>
            </RadioCards.Item>
          ))}
        </RadioCards.Root>
      )}
    </Field>
  );
}
