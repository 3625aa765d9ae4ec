import { Flex, Switch, Text } from '@radix-ui/themes';
import { useId, type ComponentProps } from 'react';

interface SwitchLineProps extends ComponentProps<typeof Switch> {
  label: string;
  description?: string | undefined;
}

/** A switch with its name and its description next to it. */
export function SwitchLine({ label, description, ...props }: SwitchLineProps) {
  const id = useId();
  return (
    <Flex gap="3" align="start">
      <Switch
        id={id}
        mt="1"
        aria-describedby={description === undefined ? undefined : `${id}-description`}
        {...props}
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
