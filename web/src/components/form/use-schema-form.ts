import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, type DefaultValues, type FieldValues, type UseFormReturn } from 'react-hook-form';
import type { ZodMiniType } from 'zod/mini';

/**
 * A form whose values follow a schema of `zod/mini`. Errors are not shown before it is submitted: a message that
 * appears when a field loses the focus would move the button that the pointer is about to press.
 */
export function useSchemaForm<Values extends FieldValues, Output>(
  schema: ZodMiniType<Output, Values>,
  initial: Values,
): UseFormReturn<Values, unknown, Output> {
  return useForm<Values, unknown, Output>({
    resolver: zodResolver(schema),
    defaultValues: initial as DefaultValues<Values>,
    mode: 'onSubmit',
    reValidateMode: 'onChange',
    // The form component moves the focus itself, in the order of the page and not of registration.
    shouldFocusError: false,
  });
}
