import { holdsSignIn } from '@/lib/kept-sign-in';
import { authorizingPath, isSignInPage } from '@/lib/paths';

/**
 * Goes to the sign-in page at once if this browser has no sign-in, before any page is loaded: else pages behind the
 * sign-in would be loaded only to redirect.
 */
export function signInFirst(): void {
  const { pathname, search, hash } = window.location;
  if (holdsSignIn() || isSignInPage(pathname)) return;
  window.history.replaceState(null, '', authorizingPath(pathname + search + hash));
}
