import { ApiError, type FieldProblem } from '@/api/errors';

/** The server's message for a failed call, else the fallback. */
export function serverMessage(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.message !== '' ? error.message : fallback;
}

/** A toast's text of the specification, followed by the server's message. */
export function withServerMessage(error: unknown, text: string): string {
  const said = serverMessage(error, '');
  return said === '' ? text : `${text}: ${said}`;
}

/** The messages that belong to fields of a form; none if the failure has another reason. */
export function fieldProblems(error: unknown): readonly FieldProblem[] {
  return error instanceof ApiError ? error.fields : [];
}
