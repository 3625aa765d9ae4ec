declare const made: unique symbol;

/** A path below the API's root, in which each value is exactly one segment. */
export type ApiPath = string & { readonly [made]: true };

/**
 * Makes a path of the API: path`discourse/conversations/${id}`. Each value is one segment of it, whatever it
 * contains: an id may come from the address bar, where `..%2F..%2Fuser` would send a call with the person's bearer
 * to another path.
 */
export function path(fixed: TemplateStringsArray, ...values: readonly (string | number)[]): ApiPath {
  const made = fixed.reduce((text, next, at) => `${text}${partOf(values[at - 1] ?? '')}${next}`);
  return made as ApiPath;
}

function partOf(value: string | number): string {
  const text = String(value);
  // These two mean a folder even when they are escaped; they are never valid ids.
  if (text === '' || text === '.' || text === '..') return '-';
  // An id that is cut in the middle of a character cannot exist.
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
}
