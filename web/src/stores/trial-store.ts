import { createConversation, setStatus } from '@/api/conversations';
import { AttemptKey } from '@/lib/attempt-key';
import { notify } from '@/lib/notify';
import { withServerMessage } from '@/lib/server-message';
import { agents as t } from '@/messages/agents';

const attempt = new AttemptKey();

/**
 * Makes a conversation in which an agent is tried, and archives it at once, so that it does not stand among those
 * that people work in. Answers its id, or `null` where it could not be made.
 */
export async function startTrial(dataSources: readonly number[]): Promise<string | null> {
  try {
    const { id } = await createConversation(t('trial.name'), [...dataSources], attempt.of(dataSources));
    attempt.done();
    // One that stays among the others is no reason not to try the agent in it.
    await setStatus(id, 'archived').catch(() => undefined);
    return id;
  } catch (error) {
    notify.error(withServerMessage(error, t('trial.failed')));
    return null;
  }
}
