/** A parsed value of the address bar. */
export type QueryValue = string | number | boolean;

function convert(text: string): QueryValue {
  if (text === 'true') return true;
  if (text === 'false') return false;
  // "007" and "1e5" stay text: only a text that is formatted back to the same text is a number.
  const number = Number(text);
  return text !== '' && String(number) === text ? number : text;
}

/**
 * Reads a query parameter that may hold several values: `name[]=1,2&name[]=2` is `[1, 2]`.
 * Values are split on commas, de-duplicated, and true, false and numbers converted.
 */
export function readQueryArray(search: URLSearchParams, name: string): QueryValue[] {
  const raw = [...search.getAll(`${name}[]`), ...search.getAll(name)];
  const parts = raw.flatMap((value) => value.split(',')).filter((value) => value !== '');
  return [...new Set(parts)].map(convert);
}

/** The same parameters with other values of one that may hold several. */
export function withQueryArray(
  search: URLSearchParams,
  name: string,
  values: readonly QueryValue[],
): URLSearchParams {
  const next = new URLSearchParams(search);
  next.delete(name);
  next.delete(`${name}[]`);
  for (const value of values) next.append(`${name}[]`, String(value));
  return next;
}

/** Writes query parameters; an array gets the `[]` suffix, an empty one and `undefined` are left out. */
export function writeQuery(
  values: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>,
): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    if (typeof value === 'object') {
      for (const item of value) search.append(`${name}[]`, String(item));
    } else {
      search.append(name, String(value));
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}
