import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { projectColors, projectSchema, type ProjectValues } from './project-rules';

const right: ProjectValues = { name: 'Spring', description: 'The campaign of spring', color: 'Teal blue' };

function problems(changes: Partial<ProjectValues>): string[] {
  const checked = z.safeParse(projectSchema, { ...right, ...changes });
  return checked.success
    ? []
    : checked.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('a project', () => {
  it.each(projectColors)('may have the colour %s', (color) => expect(problems({ color })).toEqual([]));

  it.each(['Purple grey', '#2E7d32'])('may keep the colour %s', (color) =>
    expect(problems({ color })).toEqual([]),
  );

  it('may be as long as its limits', () => {
    expect(problems({ name: 'é'.repeat(80), description: 'x'.repeat(500) })).toEqual([]);
  });

  it.each([
    [{ name: '' }, 'name: Please enter a valid name'],
    [{ name: ' \n' }, 'name: Please enter a valid name'],
    [{ name: 'x'.repeat(81) }, 'name: Please enter a valid name'],
    [{ description: '' }, 'description: Please enter a valid description'],
    [{ description: 'x'.repeat(501) }, 'description: Please enter a valid description'],
    [{ color: '' }, 'color: Please enter a valid color'],
    [{ color: 'mauve' }, 'color: Please enter a valid color'],
  ])('that is %j breaks a rule', (changes, message) => expect(problems(changes)).toEqual([message]));

  it('says all that is wrong with it', () => {
    expect(problems({ name: '', description: '', color: '' })).toHaveLength(3);
  });
});
