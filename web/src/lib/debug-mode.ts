const key = 'parley.debug';

/**
 * Whether this browser shows superusers the internal messages of the analysts. It is read when a page is rendered.
 */
export function isDebugMode(): boolean {
  return localStorage.getItem(key) === 'true';
}

/** Turns it on or off. The page must be reloaded afterwards. */
export function setDebugMode(on: boolean): void {
  if (on) localStorage.setItem(key, 'true');
  else localStorage.removeItem(key);
}
