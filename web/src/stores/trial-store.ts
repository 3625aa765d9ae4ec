import { createConversation, setStatus } from '@/api/conversations';
import { AttemptKey } from '@/lib/attempt-key';
import { notify } from '@/lib/notify';
import { withServerMessage } from '@/lib/server-message';
import { agents as t } from '@/messages/agents';

const attempt = new AttemptKey();

/**
 * Makes a conversation in which an agent is tried, and archives it at once, so that it is not in the list of normal
 * conversations. Returns its id, or `null` if it could not be made.
 */
export async function startTrial(dataSources: readonly number[]): Promise<string | null> {
  try {
    const { id } = await createConversation(t('trial.name'), [...dataSources], attempt.of(dataSources));
    attempt.done();
    // If archiving fails, the agent can still be tried in it.
    await setStatus(id, 'archived').catch(() => undefined);
    return id;
  } catch (error) {
    notify.error(withServerMessage(error, t('trial.failed')));
    return null;
  }
}
