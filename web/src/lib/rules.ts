import * as z from 'zod/mini';
import { characterCount } from './text';

/**
 * A text of at least one and at most `max` characters, without blanks around it. One message covers both, unless
 * there is another for a text that is too long.
 */
export function requiredText(message: string, max = Infinity, long = message) {
  return z.string().check(
    z.trim(),
    z.refine((text) => text !== '', message),
    z.refine((text) => characterCount(text) <= max, long),
  );
}

/** A text of at most `max` characters, without blanks around it; it may be empty. */
export function optionalText(message: string, max = Infinity) {
  return z.string().check(
    z.trim(),
    z.refine((text) => characterCount(text) <= max, message),
  );
}

/** One of a list, or nothing so far: a form begins without a choice, and submits one. */
export function chosen<V extends string | number>(message: string) {
  return z.pipe(
    z.nullable(z.custom<V>()).check(z.refine((value) => value !== null, message)),
    z.transform((value) => value as V),
  );
}

/** A required file, and its further rules: each rule with its message. */
export function requiredFile(
  message: string,
  rules: readonly (readonly [(file: File) => boolean, string])[] = [],
) {
  return z.pipe(
    z.nullable(z.custom<File>()).check(
      z.refine((file) => file !== null, message),
      ...rules.map(([holds, text]) => z.refine<File | null>((file) => file === null || holds(file), text)),
    ),
    z.transform((file) => file as File),
  );
}
