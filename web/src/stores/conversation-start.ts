import { createConversation } from '@/api/conversations';
import { ApiError } from '@/api/errors';
import { notify } from '@/lib/notify';
import { shortenAtWord } from '@/lib/text';
import { uuidv7 } from '@/lib/uuid';
import type { Conversation } from '@/lib/wire';

/** A conversation's name on creation is cut to this many characters, after a whole word. */
const nameLimit = 30;
const defaultName = 'New Conversation';

/** The last attempt's key: pressing Send again after a failure must not make a second conversation. */
const attempt: { name: string; dataSources: string; key: string } = { name: '', dataSources: '', key: '' };

/** Makes a conversation that is named after its first prompt. */
export async function startConversation(text: string, dataSources: number[]): Promise<Conversation | null> {
  const firstLine = text.trim().split('\n')[0] ?? '';
  const name = shortenAtWord(firstLine, nameLimit) || defaultName;
  const sources = dataSources.join();
  if (attempt.name !== name || attempt.dataSources !== sources) {
    Object.assign(attempt, { name, dataSources: sources, key: uuidv7() });
  }
  try {
    const created = await createConversation(name, dataSources, attempt.key);
    attempt.name = '';
    return created;
  } catch (error) {
    const said = error instanceof ApiError ? error.message : '';
    notify.error(said === '' ? 'Failed to create conversation' : said);
    return null;
  }
}
