import { safeReturnPath } from '@/lib/paths';

const key = 'parley.returnTo';

/** Keeps where the person wanted to go while the identity provider has the window. */
export function saveReturnPath(path: string): void {
  sessionStorage.setItem(key, path);
}

/** Where to go after the sign-in; asked once. */
export function takeReturnPath(): string {
  const path = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return safeReturnPath(path);
}
