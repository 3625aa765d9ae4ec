import type { Product } from './product';

/** A message of the API. */
export interface ApiMessage {
  id: string;
  role: string;
  text: string;
  status: string;
  displayobjectSet: { id: string; type: string }[];
}

/** A conversation of the API. */
export interface ApiConversation {
  id: string;
  name: string;
  isStreaming: boolean;
  messageSet: ApiMessage[];
}

/** Reads a conversation with its messages. */
export async function read(product: Product, token: string, id: string): Promise<ApiConversation> {
  const answer = await product.call(token, 'GET', `discourse/conversations/${id}`);
  if (!answer.ok) throw new Error(`conversation ${id}: ${answer.status}`);
  return (await answer.json()) as ApiConversation;
}

/** The id of the scripted agent, whose answers and their length a test can set. */
export async function scriptedAgent(product: Product, token: string): Promise<number> {
  const answer = await product.call(token, 'GET', 'analyst/analysts');
  const agents = (await answer.json()) as { results: { id: number; name: string }[] };
  const agent = agents.results.find(({ name }) => name === 'load-test');
  if (!agent) throw new Error('there is no agent load-test');
  return agent.id;
}

/** The id of the demo's initial connector. */
export async function retailOrders(product: Product, token: string): Promise<number> {
  const answer = await product.call(token, 'GET', 'memory/datasources');
  const connectors = (await answer.json()) as { results: { id: number; name: string }[] };
  const found = connectors.results.find(({ name }) => name === 'Retail orders');
  if (!found) throw new Error('there is no connector Retail orders');
  return found.id;
}

/** Makes a connector from a file and the fields that the person fills in. Returns its id. */
export async function upload(
  product: Product,
  token: string,
  file: { name: string; text: string },
  fields: Readonly<Record<string, string>>,
): Promise<number> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append('file', new Blob([file.text]), file.name);
  const answer = await product.call(token, 'POST', 'memory/file/datasources', form);
  if (!answer.ok) throw new Error(`${file.name}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { id: number }).id;
}

/** Waits until a condition is true, and checks it every 100 ms. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  limit = 120_000,
): Promise<T> {
  const deadline = Date.now() + limit;
  for (;;) {
    const found = await ask();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > deadline) throw new Error(`still waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
