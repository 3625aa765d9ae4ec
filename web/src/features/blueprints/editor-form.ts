import type { UseFormReturn } from 'react-hook-form';
import type { FormControl } from '@/components/form/form-types';
import type { BlueprintValues } from '@/lib/blueprint-form';

/** The form of a blueprint, which its steps share. */
export type BlueprintForm = UseFormReturn<BlueprintValues, unknown, BlueprintValues>;

export type BlueprintControl = FormControl<BlueprintValues>;
