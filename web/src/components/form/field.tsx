import { Text } from '@radix-ui/themes';
import { useId, type ReactNode } from 'react';

interface FieldIds {
  id: string;
  'aria-describedby': string | undefined;
  'aria-invalid': boolean;
}

interface FieldProps {
  label: string;
  problem: string | undefined;
  children: (ids: FieldIds) => ReactNode;
}

/** A labelled field with the message of the rule that it breaks. */
export function Field({ label, problem, children }: FieldProps) {
  const id = useId();
  const problemId = useId();
  return (
    <div>
      <Text as="label" htmlFor={id} size="2" weight="medium" mb="1">
        {label}
      </Text>
      {children({
        id,
        'aria-describedby': problem === undefined ? undefined : problemId,
        'aria-invalid': problem !== undefined,
      })}
      {problem !== undefined && (
        <Text as="p" id={problemId} size="1" color="red" mt="1" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}
