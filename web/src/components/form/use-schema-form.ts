import { zodResolver } from '@hookform/resolvers/zod';
import { useForm, type DefaultValues, type FieldValues, type UseFormReturn } from 'react-hook-form';
import type { ZodMiniType } from 'zod/mini';

/**
 * A form whose values follow a schema of `zod/mini`. Nothing is found fault with before it is sent: a message that
 * came up on leaving a field would move the button that the pointer is about to press.
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
    // The form itself moves the focus, in the order of the page and not of registration.
    shouldFocusError: false,
  });
}
