import type { Product } from '../../e2e/product';

/** A call of the API as one person. */
export type Call = <T>(method: string, where: string, body?: unknown) => Promise<T>;

/** The calls of the person with a bearer. A refusal is an error. */
export function callsOf(product: Product, bearer: string): Call {
  return async <T>(method: string, where: string, body?: unknown): Promise<T> => {
    const answer = await product.call(bearer, method, where, body);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${answer.url}: ${answer.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as T;
  };
}

/** Shares something with a person for viewing. `where` is the address of the thing. */
export async function share(call: Call, where: string, name: string): Promise<void> {
  const { results } = await call<{ results: { id: number; name: string }[] }>(
    'GET',
    'user/shareable-entities',
  );
  const person = results.find((one) => one.name === name);
  if (person === undefined) throw new Error(`${name} cannot be given access`);
  await call('PUT', `${where}/actors`, {
    users: [{ id: person.id, permission: 'read' }],
    teams: [],
    organizations: [],
  });
}
