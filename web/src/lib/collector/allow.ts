/**
 * What may leave for the collector, said as tables of what is allowed. What no table names is left out, so that a field
 * which a new version of the library adds stays at home until somebody has decided about it.
 */

/** Gives what may be sent of a value; undefined is nothing. */
export type Keep = (value: unknown) => unknown;

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const number: Keep = (value) =>
  typeof value === 'number' || typeof value === 'boolean' ? value : undefined;

/** A text of a form that can hold nothing of a person's. */
export function matching(form: RegExp): Keep {
  return (value) => (typeof value === 'string' && form.test(value) ? value : undefined);
}

/** A word of the library's own, such as `error`, `javascript` or `auto.http.browser`. */
export const word = matching(/^[a-z][\w.-]{0,60}$/iu);

/** An id that was drawn by the library. */
export const drawnId = matching(/^[0-9a-f-]{16,36}$/u);

export function fields(table: Readonly<Record<string, Keep>>): Keep {
  const entries = Object.entries(table);
  return (value) =>
    isFields(value)
      ? Object.fromEntries(
          entries.flatMap(([name, keep]) => {
            const kept = keep(value[name]);
            return kept === undefined ? [] : [[name, kept]];
          }),
        )
      : undefined;
}

export function list(keep: Keep): Keep {
  return (value) =>
    Array.isArray(value)
      ? value.flatMap((one: unknown) => {
          const kept = keep(one);
          return kept === undefined ? [] : [kept];
        })
      : undefined;
}

/** All numbers under names that the library gives, however deep, and no text at all. */
export const numbers: Keep = (value) => {
  if (value === null) return null;
  if (Array.isArray(value)) return list(numbers)(value);
  if (!isFields(value)) return number(value);
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, one]) => {
      const kept = word(name) === undefined ? undefined : numbers(one);
      return kept === undefined ? [] : [[name, kept]];
    }),
  );
};

/** A text as stars, of which only the length is left. */
export const masked: Keep = (value) =>
  typeof value === 'string' ? value.replaceAll(/\S/gu, '*') : undefined;
