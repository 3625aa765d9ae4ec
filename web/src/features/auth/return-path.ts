import { safeReturnPath } from '@/lib/paths';

const key = 'parley.returnTo';

interface ReturnPath {
  path: string;
  /** The provider's name of the person whose session ended there; `null` where nobody was signed in. */
  of: string | null;
}

/** Keeps where the person wanted to go, or was, while the identity provider has the window. */
export function saveReturnPath(path: string, of: string | null = null): void {
  sessionStorage.setItem(key, JSON.stringify({ path, of } satisfies ReturnPath));
}

/** Where to go after the sign-in of this person; asked once. Where somebody else was is nothing to them. */
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
