import { expect, it } from 'vitest';
import { ApiError } from '@/api/errors';
import { formPath, submitFailure } from './submit-failure';

it('hands on what the server says, with its fields', () => {
  const fields = [{ field: 'name', message: 'Please enter a valid name' }];
  expect(submitFailure(new ApiError(422, 'invalid', 'The name is missing', fields), 'Failed')).toEqual({
    message: 'The name is missing',
    fields,
  });
});

it('says the fallback when the server says nothing, and for what is no answer of a server', () => {
  expect(submitFailure(new ApiError(500, '', ''), 'Failed').message).toBe('Failed');
  expect(submitFailure(new TypeError('a bug'), 'Failed')).toEqual({ message: 'Failed', fields: [] });
});

it.each([
  ['name', 'name'],
  ['schedule.timeZone', 'schedule.timeZone'],
  ['steps[0].name', 'steps.0.name'],
  ['steps[12].memories[3]', 'steps.12.memories.3'],
])('writes the path %s as %s', (field, path) => expect(formPath(field)).toBe(path));
