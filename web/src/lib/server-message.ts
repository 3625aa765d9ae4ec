import { ApiError, type FieldProblem } from '@/api/errors';

/** What the server says of a failed call, else the fallback. */
export function serverMessage(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback;
}

/** A toast's text of the specification, and behind it what the server says. */
export function withServerMessage(error: unknown, text: string): string {
  const said = serverMessage(error, '');
  return said === '' ? text : `${text}: ${said}`;
}

/** The messages that belong to fields of a form; none where the failure is about something else. */
export function fieldProblems(error: unknown): readonly FieldProblem[] {
  return error instanceof ApiError ? error.fields : [];
}
