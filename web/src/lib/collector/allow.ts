/**
 * What may be sent to the collector, as tables of allowed fields. Fields that are in no table are left out, so that
 * a field which a new version of the library adds is not sent until a developer has decided about it.
 */

/** Returns the part of a value that may be sent; undefined for nothing. */
export type Keep = (value: unknown) => unknown;

export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const number: Keep = (value) =>
  typeof value === 'number' || typeof value === 'boolean' ? value : undefined;

/** Keeps a text that matches a pattern which cannot contain personal data. */
export function matching(form: RegExp): Keep {
  return (value) => (typeof value === 'string' && form.test(value) ? value : undefined);
}

/** A word of the library's vocabulary, such as `error`, `javascript` or `auto.http.browser`. */
export const word = matching(/^[a-z][\w.-]{0,60}$/iu);

/** A random id that the library generated. */
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

/** All numbers under the library's names, at any depth, and no texts. */
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

/** A text as stars, which only shows its length. */
export const masked: Keep = (value) =>
  typeof value === 'string' ? value.replaceAll(/\S/gu, '*') : undefined;
