import { holdsSignIn } from '@/lib/kept-sign-in';
import { authorizingPath, isSignInPage } from '@/lib/paths';

/**
 * Goes to the sign-in at once where this browser holds none, before any page is asked for: else the pages inside
 * would be loaded to find that out.
 */
export function signInFirst(): void {
  const { pathname, search, hash } = window.location;
  if (holdsSignIn() || isSignInPage(pathname)) return;
  window.history.replaceState(null, '', authorizingPath(pathname + search + hash));
}
