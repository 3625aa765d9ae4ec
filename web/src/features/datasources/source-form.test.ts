import * as z from 'zod/mini';
import { expect, it } from 'vitest';
import type { DataSource } from '@/lib/wire';
import { lostInForm } from '@/testing/round-trip';
import { sourceRequest, sourceSchema, sourceValues } from './source-form';

it('returns every field of a connector', () => {
  const lost = lostInForm<DataSource>({
    entity: 'DataSource',
    request: 'DataSourceChanges',
    send: (shown) => sourceRequest(z.parse(sourceSchema(), sourceValues(shown)), shown.version),
  });
  // The scope of a connector cannot be changed.
  expect(lost).toEqual(['scope']);
});
