import { describe, expect, it } from 'vitest';
import { blueprintOf } from '@/testing/fixtures/wire';
import {
  blueprintRequest,
  blueprintValues,
  newBlueprint,
  newStep,
  withoutSection,
  withSection,
} from './blueprint-form';

const [first, second] = blueprintOf().steps;
const held = blueprintOf({
  dataSources: [3, 4],
  version: 5,
  steps: [
    { ...first!, detailedInstructions: 'Look at it.', analyst: 9 },
    { ...second!, code: 'select 1', language: 'sql', memories: [2] },
  ],
});

describe('blueprintValues', () => {
  it('shows the sections that have contents', () => {
    const { steps } = blueprintValues(held);
    expect(steps.map((step) => step.sections)).toEqual([
      ['analyst', 'detailedInstructions'],
      ['code', 'memories'],
    ]);
    expect(steps[1]).toMatchObject({ code: 'select 1', language: 'sql', memories: [2], analyst: null });
  });
});

describe('withSection', () => {
  it('adds a section where it belongs among the others', () => {
    const step = withSection(withSection(newStep('Step 2'), 'memories'), 'analyst');
    expect(step.sections).toEqual(['analyst', 'detailedInstructions', 'memories']);
  });
});

describe('withoutSection', () => {
  it('clears what the section had', () => {
    const [one, two] = blueprintValues(held).steps;
    expect(withoutSection(one!, 'analyst')).toMatchObject({
      sections: ['detailedInstructions'],
      analyst: null,
    });
    expect(withoutSection(two!, 'code')).toMatchObject({
      sections: ['memories'],
      code: '',
      language: 'python',
    });
    expect(withoutSection(two!, 'memories')).toMatchObject({ memories: [], language: 'sql' });
  });
});

describe('blueprintRequest', () => {
  it('sends a new blueprint with all of its steps and no ids', () => {
    const values = { ...newBlueprint('Step 1'), name: ' Weekly ' };
    values.steps[0]!.detailedInstructions = 'Sum up.';
    expect(blueprintRequest(values, null)).toEqual({
      name: 'Weekly',
      description: '',
      projectLabels: [],
      dataSources: [],
      inputParameters: '',
      initialMessage: '',
      shareWithOrganization: false,
      steps: [
        {
          name: 'Step 1',
          order: 1,
          detailedInstructions: 'Sum up.',
          qaInstructions: null,
          code: null,
          language: 'python',
          memories: [],
          analyst: null,
        },
      ],
    });
  });

  it('names the version, and the steps that were removed', () => {
    const values = blueprintValues(held);
    values.steps = [{ ...newStep('Last'), detailedInstructions: 'Sum up.' }, values.steps[0]!];
    const request = blueprintRequest(values, held);
    expect(request).toMatchObject({ version: 5, removedSteps: [2] });
    expect(request.steps).toMatchObject([
      { name: 'Last', order: 1 },
      { id: 1, order: 2, detailedInstructions: 'Look at it.', analyst: 9 },
    ]);
    expect(request.steps?.[0]).not.toHaveProperty('id');
  });

  it('leaves the connectors out as long as they are as they were', () => {
    const values = blueprintValues(held);
    expect(blueprintRequest({ ...values, dataSources: [4, 3] }, held)).not.toHaveProperty('dataSources');
    expect(blueprintRequest({ ...values, dataSources: [3] }, held)).toMatchObject({ dataSources: [3] });
  });

  it('sends a step that somebody else has removed meanwhile as a new one', () => {
    const values = blueprintValues(held);
    const latest = { ...held, version: 6, steps: [held.steps[0]!, { ...second!, id: 40 }] };
    const request = blueprintRequest(values, latest);
    expect(request).toMatchObject({ version: 6, removedSteps: [40] });
    expect(request.steps?.[1]).not.toHaveProperty('id');
  });
});
