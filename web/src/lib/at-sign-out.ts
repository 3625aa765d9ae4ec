import type { EndCode } from './sign-in';

/** Lets go of what is held of the person who was signed in. */
type Forget = (code: EndCode) => void;

const forgets = new Set<Forget>();

/** Each store names here, once, how it lets go of a person: a store that was never loaded has nothing to forget. */
export function atSignOut(forget: Forget): void {
  forgets.add(forget);
}

/** Lets go of everything of the person who was signed in, so that the next one finds nothing of it. */
export function forgetPerson(code: EndCode): void {
  for (const forget of forgets) forget(code);
}
