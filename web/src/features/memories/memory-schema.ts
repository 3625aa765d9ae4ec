import * as z from 'zod/mini';
import { joinResponse, memoryLimits, splitResponse } from '@/lib/memory';
import { chosen, requiredText } from '@/lib/rules';
import { characterCount } from '@/lib/text';
import type { DeepReadonly } from '@/lib/deep-readonly';
import type { Memory, MemoryRequest } from '@/lib/wire';
import { memories as t } from '@/messages/memories';

/** The message of an empty field. The form says once that all of them are required. */
export const missing = t('form.missing');

/** The values of the dialog of a memory. A response is text, code, or both. */
export const memorySchema = z
  .object({
    // The server cuts it: a name that is too long is not an error.
    name: requiredText(missing),
    question: requiredText(missing).check(
      z.refine((text) => characterCount(text) <= memoryLimits.question, t('form.long')),
    ),
    type: chosen<number>(missing),
    labels: z.array(z.number()),
    response: z.string(),
    code: z.string(),
    language: z.nullable(z.string()),
    alwaysRecalled: z.boolean(),
  })
  .check(
    z.refine(({ response, code }) => response.trim() !== '' || code.trim() !== '', {
      path: ['response'],
      error: missing,
    }),
    z.refine((memory) => characterCount(responseOf(memory)) <= memoryLimits.response, {
      path: ['response'],
      error: t('form.long'),
    }),
  );

export type MemoryValues = z.input<typeof memorySchema>;
type MemoryOutput = z.output<typeof memorySchema>;

function responseOf({
  response,
  code,
  language,
}: Pick<MemoryOutput, 'response' | 'code' | 'language'>): string {
  return joinResponse({ text: response, code, language: language ?? '' });
}

/** The initial values of the dialog: of an existing memory, or empty. */
export function memoryValues(memory: DeepReadonly<Memory> | null): MemoryValues {
  const { text, code, language } = splitResponse(memory?.value ?? '');
  return {
    name: memory?.name ?? '',
    question: memory?.index ?? '',
    type: memory?.type ?? null,
    labels: [...(memory?.labels ?? [])],
    response: text,
    code,
    language,
    alwaysRecalled: memory?.alwaysRecalled ?? false,
  };
}

/** The request. `version` is that of the memory that was edited. */
export function memoryRequest(values: MemoryOutput, version: number | undefined): MemoryRequest {
  const { name, question, type, labels, alwaysRecalled } = values;
  return {
    name,
    question,
    type,
    labels,
    alwaysRecalled,
    response: responseOf(values),
    ...(version !== undefined && { version }),
  };
}
