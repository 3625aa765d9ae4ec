import * as z from 'zod/mini';
import { expect, it } from 'vitest';
import { lostInForm } from '@/testing/round-trip';
import { blueprintRequest, blueprintValues } from './blueprint-form';
import { blueprintSchema } from './blueprint-rules';
import { projectSchema, projectValues } from './project-rules';
import type { Blueprint, ProjectLabel } from './wire';

it('returns every field of a blueprint', () => {
  const lost = lostInForm<Blueprint>({
    entity: 'Blueprint',
    request: 'BlueprintRequest',
    // Another list of connectors than that of the server, because an unchanged one is not sent.
    send: (shown) =>
      blueprintRequest(z.parse(blueprintSchema, blueprintValues(shown)), { ...shown, dataSources: [] }),
  });
  expect(lost).toEqual([
    // Sharing with the organization is not available.
    'shareWithOrganization',
    // The blueprint that contains the steps has the id and the version; the order is the place in the list.
    'steps[].icebreaker',
    'steps[].order',
    'steps[].version',
    // Only superusers give a blueprint categories, with a call.
    'useCaseCategories',
  ]);
});

it('returns every field of a project', () => {
  const lost = lostInForm<ProjectLabel>({
    entity: 'ProjectLabel',
    request: 'ProjectLabelRequest',
    values: { color: '#123456' },
    send: (shown) => z.parse(projectSchema, projectValues(shown)),
  });
  expect(lost).toEqual([
    // The store adds the version that the form was opened with.
    'version',
  ]);
});
