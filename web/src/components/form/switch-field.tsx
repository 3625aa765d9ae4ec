import { Flex, Switch, Text } from '@radix-ui/themes';
import { useId } from 'react';
import type { FieldPathByValue, FieldValues } from 'react-hook-form';
import type { FieldTexts, FormControl } from './form-types';
import { useField } from './use-field';

interface SwitchFieldProps<T extends FieldValues> extends FieldTexts {
  control: FormControl<T>;
  name: FieldPathByValue<T, boolean>;
}

/** Something that is on or off. */
export function SwitchField<T extends FieldValues>(props: SwitchFieldProps<T>) {
  const { control, name, label, description, disabled } = props;
  const { value, onChange, onBlur, ref, readOnly } = useField<T, boolean>(control, name);
  const id = useId();
  return (
    <Flex gap="3" align="start">
      <Switch
        id={id}
        ref={ref}
        mt="1"
        checked={value}
        disabled={disabled === true || readOnly}
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        onBlur={onBlur}
        onCheckedChange={onChange}
      />
      <div>
        <Text as="label" htmlFor={id} size="2" weight="medium">
          {label}
        </Text>
        {description !== undefined && (
          <Text as="p" id={`${id}-description`} size="1" color="gray">
            {description}
          </Text>
        )}
      </div>
    </Flex>
  );
}
