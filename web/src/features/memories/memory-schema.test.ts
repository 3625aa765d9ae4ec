import * as z from 'zod/mini';
import { expect, it } from 'vitest';
import type { Memory } from '@/lib/wire';
import { lostInForm } from '@/testing/round-trip';
import { memoryRequest, memorySchema, memoryValues } from './memory-schema';

it('returns every field of a memory', () => {
  const lost = lostInForm<Memory>({
    entity: 'Memory',
    request: 'MemoryRequest',
    send: (shown) => memoryRequest(z.parse(memorySchema, memoryValues(shown)), shown.version),
    as: { index: 'question', value: 'response' },
  });
  // A switch in the list turns a memory on and off.
  expect(lost).toEqual(['isEnabled']);
});
