import { describe, expect, it } from 'vitest';
import { emptyUpload, uploadProblem, uploadSchema, type UploadFormValues } from './connector-rules';

const file = new File(['a'], 'sales.csv', { type: 'text/csv' });
const good: UploadFormValues = {
  ...emptyUpload,
  file,
  fileName: 'sales',
  name: 'Sales',
  description: 'All sales',
};

/** The messages by field. */
function problemsOf(values: UploadFormValues): Record<string, string> {
  const issues = uploadSchema.safeParse(values).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join('.'), message]));
}

describe('the rules for a connector of a file', () => {
  it('let one through that is filled in', () => {
    expect(problemsOf(good)).toEqual({});
  });

  it('say each message word for word', () => {
    expect(problemsOf({ ...emptyUpload, name: ' ' })).toEqual({
      file: 'Please select a file',
      name: 'Please enter a valid name',
      description: 'Please enter a valid description',
    });
    expect(problemsOf({ ...good, fileName: '' })).toEqual({ fileName: 'File name cannot be empty' });
    expect(problemsOf({ ...good, refused: 'Too old.' })).toEqual({ file: 'Too old.' });
  });

  it('count characters as people do', () => {
    const family = '👨‍👩‍👧‍👦';
    expect(problemsOf({ ...good, name: family.repeat(80) })).toEqual({});
    expect(problemsOf({ ...good, name: family.repeat(81) })).toEqual({ name: 'Please enter a valid name' });
    expect(problemsOf({ ...good, name: 'x'.repeat(81) })).toEqual({ name: 'Please enter a valid name' });
    expect(problemsOf({ ...good, description: 'x'.repeat(5000) })).toEqual({});
    expect(problemsOf({ ...good, description: 'x'.repeat(5001) })).toEqual({
      description: 'Please enter a valid description',
    });
  });

  it('say what holds the form back', () => {
    const empty = 'Please provide a valid file: a.csv is empty';
    expect(uploadProblem({ ...good, fileName: 'a/b' })).toBe(
      'Please correct the file name before submitting',
    );
    expect(uploadProblem({ ...good, refused: 'x' })).toBe('Please provide a valid file');
    expect(uploadProblem({ ...emptyUpload, refused: 'x' })).toBe('File is required');
    expect(uploadProblem({ ...good, refused: empty })).toBeUndefined();
    expect(uploadProblem(emptyUpload)).toBeUndefined();
    expect(uploadProblem(good)).toBeUndefined();
  });
});
