import { transcript as t } from '@/messages/transcript';

import { partsOf, type Turn } from './turns';

const endings = {
  streaming: 'announce.answering',
  complete: 'announce.answered',
  stopped: 'announce.stopped',
  interrupted: 'announce.interrupted',
  failed: 'announce.failed',
} as const;

/** What a screen reader says about the last turn: it changes when an answer starts and ends, never in between. */
export function announcement(last: Turn | undefined, isRunning: boolean): string {
  const spoken = last?.replies.at(-1);
  if (last === undefined || spoken === undefined) return '';
  const { status } = partsOf(last, () => true, isRunning);
  return t(endings[status], { name: spoken.analyst ?? t('speaker.analyst') });
}
