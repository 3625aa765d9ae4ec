import { shorten } from '@/lib/text';
import { transcript as t } from '@/messages/transcript';

import { answerText } from './answer-text';
import { plainWords } from './plain-words';
import { partsOf, type Turn } from './turns';

const endings = {
  streaming: 'announce.answering',
  complete: 'announce.answered',
  stopped: 'announce.stopped',
  interrupted: 'announce.interrupted',
  failed: 'announce.failed',
} as const;

/** In characters; what is longer is read in its place. */
const spokenLength = 300;

/**
 * What a screen reader says about the last turn: that an answer starts, and when it has ended its first paragraph. It
 * changes at these two moments and never in between.
 */
export function announcement(last: Turn | undefined, isRunning: boolean): string {
  const spoken = last?.replies.at(-1);
  if (last === undefined || spoken === undefined) return '';
  const { status, answers } = partsOf(last, () => true, isRunning);
  const name = spoken.analyst ?? t('speaker.analyst');
  const answer = answers.at(-1);
  // Marked figures are for the eye.
  const text = answer ? plainWords(answerText({ ...answer, figures: [] }).lead) : '';
  if (status === 'complete' && text !== '')
    return t('announce.answeredWith', { name, text: shorten(text, spokenLength) });
  return t(endings[status], { name });
}
