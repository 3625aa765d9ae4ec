import { type ApiMessage, read, scriptedAgent, until } from '../../e2e/api';
import type { Product } from '../../e2e/product';
import { type Call, callsOf, share } from './calls';
import type { Connectors } from './data-connectors';

/** Whom a question is for: the scripted agent, or the agent that answers from one connector. */
type About = 'script' | keyof Connectors;

/** The question of each conversation. */
const asked = {
  chart: ['orders', 'total net sales by region in 2025'],
  bars: ['orders', 'total net sales by product in 2025'],
  line: ['orders', 'net sales by month in 2025'],
  years: ['orders', 'compare net sales of 2024 and 2025 by region'],
  number: ['orders', 'How many orders were there in 2025?'],
  table: ['orders', 'show the first 10 rows'],
  refused: ['orders', 'What will the weather be tomorrow?'],
  assumed: ['seats', 'What is the total of seats by account id?'],
  corrected: ['corrected', 'What is the total of seats by account id?'],
  failed: ['script', 'fault=400'],
  stopped: ['script', 'rate=40 tokens=4000 seed=7'],
  running: ['script', 'rate=4 tokens=100000 seed=9 plan=40'],
  waiting: ['script', 'rate=4 tokens=100000 seed=11'],
  long: ['script', 'rate=0 tokens=700 plan=60 summary=80 calls=2 seed=3'],
} as const satisfies Readonly<Record<string, readonly [About, string]>>;

/** Those whose answer goes on. */
const endless: readonly string[] = ['stopped', 'running', 'waiting'];

export type ConversationName = keyof typeof asked | 'empty' | 'shared' | 'archived' | 'feedback';

export type Conversations = Readonly<Record<ConversationName, string>>;

/** What an answer took of the data, and the statement that would say so. */
interface Assumption {
  table: string;
  column?: string;
  taken: { field: string; value: string };
}

interface Talk {
  conversations: Conversations;
  /**
   * Asks again if the answer has ended: no answer takes more than ten minutes, and the pictures of all views take
   * longer.
   */
  answering: (name: 'running' | 'waiting') => Promise<void>;
}

/** Asks the questions, as one person and as a colleague. */
export async function makeConversations(
  product: Product,
  token: string,
  his: string,
  connectors: Connectors,
): Promise<Talk> {
  const [call, hisCall] = [callsOf(product, token), callsOf(product, his)];
  const script = await scriptedAgent(product, token);
  const send = (to: Call, id: string, text: string, about: About): Promise<unknown> =>
    to('POST', 'discourse/user-text', {
      conversationId: id,
      dataSources: about === 'script' ? [] : [connectors[about]],
      message: { text, ...(about === 'script' && { analystId: script }) },
    });
  const begin = async (to: Call, text: string, about: About): Promise<string> => {
    const dataSources = about === 'script' ? [] : [connectors[about]];
    const made = await to<{ id: string }>('POST', 'discourse/conversations', { name: text, dataSources });
    await send(to, made.id, text, about);
    return made.id;
  };
  const ended = async (id: string, bearer = token): Promise<string> => {
    await until(`the end of ${id}`, async () => !(await read(product, bearer, id)).isStreaming);
    return id;
  };
  const answerOf = async (id: string, bearer = token): Promise<ApiMessage | undefined> =>
    (await read(product, bearer, id)).messageSet.find(({ role }) => role === 'assistant');

  const begun: Partial<Record<ConversationName, string>> = {};
  for (const [name, [about, text]] of Object.entries(asked) as [keyof typeof asked, [About, string]][]) {
    const id = await begin(call, text, about);
    begun[name] = endless.includes(name) ? id : await ended(id);
  }
  const conversations = begun as Record<ConversationName, string>;
  await until('some text', async () => ((await answerOf(conversations.stopped))?.text.length ?? 0) > 80);
  await call('POST', 'analyst/process-control/stop-process-in-redis', {
    conversation_id: conversations.stopped,
  });
  const { annotation } = ((await answerOf(conversations.corrected)) ?? {}) as {
    annotation?: { assumptions?: Assumption[] };
  };
  for (const { table, column = '', taken } of annotation?.assumptions ?? [])
    await call('POST', `memory/datasources/${connectors.corrected}/corrections`, { table, column, ...taken });

  conversations.empty = (
    await call<{ id: string }>('POST', 'discourse/conversations', { name: 'Nothing asked yet' })
  ).id;
  conversations.archived = await ended(await begin(call, 'net sales by quarter', 'orders'));
  await call('PATCH', `discourse/conversations/${conversations.archived}`, { status: 'archived' });
  await call('PUT', `discourse/conversations/${conversations.chart}/favorite`, { isFavorite: true });
  conversations.shared = await ended(
    await begin(hisCall, 'orders by product category in 2025', 'orders'),
    his,
  );
  await share(hisCall, `discourse/conversations/${conversations.shared}`, 'Mara Lindqvist');
  conversations.feedback = await ended(await begin(hisCall, 'return rate by region', 'orders'), his);
  const judged = await answerOf(conversations.feedback, his);
  await hisCall('PUT', `discourse/messages/${judged?.id ?? ''}/feedbacks`, {
    label: [12],
    comment: [{ text: 'The returns of December are missing.' }],
  });

  return {
    conversations,
    answering: async (name) => {
      const id = conversations[name];
      if (!(await read(product, token, id)).isStreaming) await send(call, id, asked[name][1], 'script');
    },
  };
}
