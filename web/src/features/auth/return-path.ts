import { safeReturnPath } from '@/lib/paths';

const key = 'parley.returnTo';

interface ReturnPath {
  path: string;
  /** The provider's id of the person whose session ended there; `null` if no one was signed in. */
  of: string | null;
}

/** Saves the page that the person wanted to open, or was on, while the window shows the identity provider. */
export function saveReturnPath(path: string, of: string | null = null): void {
  sessionStorage.setItem(key, JSON.stringify({ path, of } satisfies ReturnPath));
}

/**
 * The page to open after the sign-in of this person; it can be taken once. The path of another person is not used.
 */
export function takeReturnPath(sub?: string): string {
  const saved = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  try {
    const { path, of } = JSON.parse(saved ?? 'null') as ReturnPath;
    return of === null || of === sub ? safeReturnPath(path) : '/';
  } catch {
    return '/';
  }
}
