declare const made: unique symbol;

/** A path below the API's root, of which no value has become more than one part. */
export type ApiPath = string & { readonly [made]: true };

/**
 * Makes a path of the API: path`discourse/conversations/${id}`. Each value is one part of it, whatever stands in it: an
 * id comes from the address bar as well, where `..%2F..%2Fuser` would lead a call with the person's bearer elsewhere.
 */
export function path(fixed: TemplateStringsArray, ...values: readonly (string | number)[]): ApiPath {
  const made = fixed.reduce((text, next, at) => `${text}${partOf(values[at - 1] ?? '')}${next}`);
  return made as ApiPath;
}

function partOf(value: string | number): string {
  const text = String(value);
  // These two mean a folder however they are written; as ids they are nobody's.
  if (text === '' || text === '.' || text === '..') return '-';
  // An id that is cut in the middle of a character is none that there is.
  return encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '\uFFFD'));
}
