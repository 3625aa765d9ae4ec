const key = 'parley.debug';

/** Whether this browser shows superusers what the analysts say among themselves. It is read when a page is drawn. */
export function isDebugMode(): boolean {
  return localStorage.getItem(key) === 'true';
}

/** Turns it on or off. The page has to be loaded again. */
export function setDebugMode(on: boolean): void {
  if (on) localStorage.setItem(key, 'true');
  else localStorage.removeItem(key);
}
