import type { FieldProblem } from '@/api/errors';
import { fieldProblems, serverMessage } from './server-message';

/** Why something could not be saved: what is wrong with single fields, and a sentence for the whole. */
export interface SubmitFailure {
  readonly message: string;
  /** Fields by the path that the server gives them, such as `name` or `steps[0].code`. */
  readonly fields: readonly FieldProblem[];
}

/** Reads a failed call for a form. What the server says of it goes before the fallback. */
export function submitFailure(error: unknown, fallback: string): SubmitFailure {
  return { message: serverMessage(error, fallback), fields: fieldProblems(error) };
}

/** A server's path of a field as forms write it: `steps[0].code` is `steps.0.code`. */
export function formPath(field: string): string {
  return field.replaceAll(/\[(\d+)\]/gu, '.$1');
}
