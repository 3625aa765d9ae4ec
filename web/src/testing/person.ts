import type { User } from '@/lib/wire';
import { ada } from './fixtures/wire';
import { api, http, HttpResponse, server } from './server';
import { nobody, signIn } from './sign-in';

/** A person as `user/me` returns it, with the changes that a test needs. */
export function personOf(changes: Partial<User> = {}): User {
  return {
    ...ada,
    email: 'ada@meridian.example',
    picture: '',
    isSuperuser: false,
    flags: { scheduledTaskView: false, uploadCredentials: false },
    abilities: { cluster: false },
    organization: { id: 1, name: 'Meridian' },
    logHead: 0,
    ...changes,
  };
}

/** Signs a person in, and waits until the app knows who that is. */
export async function signInAs(person: User): Promise<void> {
  nobody();
  server.use(http.get(api('user/me'), () => HttpResponse.json(person)));
  await signIn(`token-${Math.random()}`);
}
