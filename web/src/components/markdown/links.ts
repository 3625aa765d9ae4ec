/** A link that leaves the app. */
export interface ForeignLink {
  url: string;
  /** As the browser will request it: look-alike letters appear in their ASCII form. */
  host: string;
  /** The text of the link in the answer. */
  text: string;
}

/** What a link in an answer leads to. */
export type LinkTarget =
  | { kind: 'foreign'; url: string; host: string }
  | { kind: 'own'; path: string }
  /** Anything that is not a plain web address: javascript:, data:, mailto:, broken. */
  | { kind: 'none' };

/** Sorts a link by what following it would do. Never throws. */
export function linkTarget(href: string | undefined, origin: string = window.location.origin): LinkTarget {
  const url = parse(href, origin);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return { kind: 'none' };
  if (url.origin === origin) return { kind: 'own', path: `${url.pathname}${url.search}${url.hash}` };
  return { kind: 'foreign', url: url.href, host: url.host };
}

/**
 * The address of an image that may be loaded, or null. Loading it from another server would tell that server what
 * is being read.
 */
export function ownImage(source: string | undefined, origin: string = window.location.origin): string | null {
  const url = parse(source, origin);
  if (url === null || url.origin !== origin) return null;
  return url.protocol === 'blob:' || url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

function parse(address: string | undefined, origin: string): URL | null {
  if (address === undefined || address === '') return null;
  try {
    return new URL(address, origin);
  } catch {
    return null;
  }
}
