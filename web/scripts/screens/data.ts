import { mara, tomas } from '../../e2e/people';
import type { Product } from '../../e2e/product';
import { callsOf } from './calls';
import { type Connectors, makeConnectors } from './data-connectors';
import { makeConversations } from './data-conversations';
import { type Edited, makeEdited } from './data-editing';

/** The data in the pictures: the ids of what was created, by kind. */
export interface World extends Connectors, Edited, Awaited<ReturnType<typeof makeConversations>> {
  product: Product;
  project: number;
}

/** Fills a new product with the data for the pictures, over its API. */
export async function prepare(product: Product): Promise<World> {
  const [token, his] = await Promise.all([product.token(mara), product.token(tomas)]);
  const [call, hisCall] = [callsOf(product, token), callsOf(product, his)];
  const connectors = await makeConnectors(product, token, call);
  const talk = await makeConversations(product, token, his, connectors);
  const { results: projects } = await call<{ results: { id: number }[] }>('GET', 'discourse/projectlabels');
  const project = projects[0]?.id ?? 0;
  await call('PATCH', `discourse/conversations/${talk.conversations.bars}`, { projectLabels: [project] });
  const edited = await makeEdited({ product, call, hisCall, orders: connectors.orders, project });
  return { product, project, ...connectors, ...talk, ...edited };
}
