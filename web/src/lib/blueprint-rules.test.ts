import { describe, expect, it } from 'vitest';
import { newBlueprint, newStep, type BlueprintValues, type StepValues } from './blueprint-form';
import { blueprintSchema } from './blueprint-rules';

/** A valid form, with the changes that a test needs. */
function form(changes: Partial<BlueprintValues> = {}): BlueprintValues {
  return { ...newBlueprint('Step 1'), name: 'Weekly', steps: [step()], ...changes };
}

function step(changes: Partial<StepValues> = {}): StepValues {
  return { ...newStep('Step 1'), detailedInstructions: 'Sum up.', ...changes };
}

/** The errors of a form, by field. */
function problems(values: BlueprintValues): Record<string, string> {
  const { error } = blueprintSchema.safeParse(values);
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path.join('.'), message]));
}

const inStep = (changes: Partial<StepValues>): Record<string, string> =>
  problems(form({ steps: [step(changes)] }));

describe('blueprintSchema', () => {
  it('finds nothing wrong with a title and one step', () => {
    expect(problems(form())).toEqual({});
  });

  it('requires the title', () => {
    expect(problems(form({ name: '' }))).toEqual({ name: 'Please enter the title.' });
    expect(problems(form({ name: '  ' }))).toEqual({ name: 'Please enter the title.' });
  });

  it('takes any input parameters and initial message, with what is in it left to the server', () => {
    for (const text of ['', ' ', 'Region\n\nRegion\n: x', '{{Nothing}} {{'])
      expect(problems(form({ inputParameters: text, initialMessage: text }))).toEqual({});
  });

  it('requires the name of each step', () => {
    const steps = [step(), step({ name: ' ' })];
    expect(problems(form({ steps }))).toEqual({ 'steps.1.name': 'Please enter step name.' });
  });

  it('requires instructions, QA instructions or code in each step', () => {
    const message = 'At least one of Detailed Instructions, QA Instructions, or Code must be provided.';
    expect(inStep({ sections: [] })).toEqual({ 'steps.0.sections': message });
    expect(inStep({ sections: ['analyst', 'memories'] })).toEqual({ 'steps.0.sections': message });
    expect(inStep({ sections: ['code'], code: 'x' })).toEqual({});
  });

  it.each([
    [
      'detailedInstructions',
      'Please enter step detailed instructions',
      'Detailed instructions cannot be empty',
    ],
    ['qaInstructions', 'Please enter step QA Instructions', 'QA Instructions cannot be empty'],
    ['code', 'Please enter code', 'Code cannot be empty'],
  ] as const)('requires %s where they are shown', (section, missing, blank) => {
    expect(inStep({ sections: [section], [section]: '' })).toEqual({ [`steps.0.${section}`]: missing });
    expect(inStep({ sections: [section], [section]: ' \n' })).toEqual({ [`steps.0.${section}`]: blank });
  });

  it('says all that is wrong at once', () => {
    const steps = [step({ name: '', sections: ['detailedInstructions', 'code'], detailedInstructions: '' })];
    expect(problems(form({ name: '', steps }))).toEqual({
      name: 'Please enter the title.',
      'steps.0.name': 'Please enter step name.',
      'steps.0.detailedInstructions': 'Please enter step detailed instructions',
      'steps.0.code': 'Please enter code',
    });
  });

  it('knows the limits of the server', () => {
    expect(problems(form({ name: 'x'.repeat(81) }))).toEqual({
      name: 'The title has at most 80 characters.',
    });
    // A family emoji is one character, although it has eleven code units.
    expect(problems(form({ name: '👨‍👩‍👧‍👦'.repeat(80) }))).toEqual({});
    expect(inStep({ name: 'x'.repeat(81) })).toEqual({
      'steps.0.name': 'The name of a step has at most 80 characters.',
    });
    expect(problems(form({ description: 'x'.repeat(5001) }))).toEqual({
      description: 'The description has at most 5,000 characters.',
    });
    expect(problems(form({ initialMessage: 'x'.repeat(20_001) }))).toEqual({
      initialMessage: 'The initial message has at most 20,000 characters.',
    });
    expect(inStep({ detailedInstructions: 'x'.repeat(20_001) })).toEqual({
      'steps.0.detailedInstructions': 'Detailed instructions have at most 20,000 characters.',
    });
    expect(problems(form({ steps: Array.from({ length: 51 }, () => step()) }))).toEqual({
      steps: 'A blueprint has at most 50 steps.',
    });
    const many = Array.from({ length: 21 }, (_, index) => `Input ${index}`).join('\n');
    expect(problems(form({ inputParameters: many }))).toEqual({
      inputParameters: 'There can be at most 20 input parameters.',
    });
    expect(problems(form({ inputParameters: 'x'.repeat(81) }))).toEqual({
      inputParameters: 'The name of an input parameter has at most 80 characters.',
    });
  });
});
