import { createConversation } from '@/api/conversations';
import { AttemptKey } from '@/lib/attempt-key';
import { notify } from '@/lib/notify';
import { serverMessage } from '@/lib/server-message';
import { shortenAtWord } from '@/lib/text';
import type { Conversation } from '@/lib/wire';
import { conversationChanges as t } from '@/messages/conversation-changes';

/** A conversation's name on creation is cut to this many characters, after a whole word. */
const nameLimit = 30;

/** Pressing Send again after a failure must not make a second conversation. */
const starting = new AttemptKey();

/** Makes a conversation that is named after its first prompt. */
export async function startConversation(text: string, dataSources: number[]): Promise<Conversation | null> {
  const firstLine = text.trim().split('\n')[0] ?? '';
  const name = shortenAtWord(firstLine, nameLimit) || t('name.default');
  try {
    const created = await createConversation(name, dataSources, starting.of([name, dataSources]));
    starting.done();
    return created;
  } catch (error) {
    notify.error(serverMessage(error, t('create.failed')));
    return null;
  }
}
