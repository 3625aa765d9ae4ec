import type { EndCode } from './sign-in';

/** Functions that clear the data of the person who was signed in. */
type Forget = (code: EndCode) => void;

const forgets = new Set<Forget>();

/** Each store registers here, once, how to clear its data: a store that was never loaded has nothing to clear. */
export function atSignOut(forget: Forget): void {
  forgets.add(forget);
}

/** Clears all data of the person who was signed in, so that the next person cannot see them. */
export function forgetPerson(code: EndCode): void {
  for (const forget of forgets) forget(code);
}
