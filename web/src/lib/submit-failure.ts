import type { FieldProblem } from '@/api/errors';
import { fieldProblems, serverMessage } from './server-message';

/** Why a form could not be saved: the errors of single fields, and a sentence for the whole. */
export interface SubmitFailure {
  readonly message: string;
  /** Fields by the path that the server sends, such as `name` or `steps[0].code`. */
  readonly fields: readonly FieldProblem[];
}

/** Reads a failed call for a form. The server's message takes precedence over the fallback. */
export function submitFailure(error: unknown, fallback: string): SubmitFailure {
  return { message: serverMessage(error, fallback), fields: fieldProblems(error) };
}

/** Converts the server's path of a field to the notation of forms: `steps[0].code` is `steps.0.code`. */
export function formPath(field: string): string {
  return field.replaceAll(/\[(\d+)\]/gu, '.$1');
}
