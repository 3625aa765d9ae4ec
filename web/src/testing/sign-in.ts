import type { Bearer } from '@/lib/sign-in';
import { meState, signInStep } from '@/stores/me-store';
import { eventually } from './eventually';

/** A bearer that is valid for an hour. */
export function bearer(token = 'token', life = 3_600_000): Bearer {
  return { token, expires: Date.now() + life, renewable: true };
}

/** No one is signed in, and nothing is left of an earlier sign-in. */
export function nobody(): void {
  signInStep({ type: 'forget' });
}

/** Signs in with a bearer, and waits until the user is known or could not be determined. */
export async function signIn(token = 'token'): Promise<void> {
  signInStep({ type: 'held', bearer: bearer(token) });
  await eventually(() => {
    const { signIn: now } = meState;
    if (now.phase === 'loading' && now.trouble === null) throw new Error('still asking');
  });
}
