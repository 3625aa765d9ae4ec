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

/** In characters; a longer paragraph is not announced in full, but read in its place. */
const spokenLength = 300;

/**
 * The announcement about the last turn: that an answer starts, and its first paragraph when it has ended. It
 * changes at these two moments and never in between.
 */
export function announcement(last: Turn | undefined, isRunning: boolean): string {
  const spoken = last?.replies.at(-1);
  if (last === undefined || spoken === undefined) return '';
  const { status, answers } = partsOf(last, () => true, isRunning);
  const name = spoken.analyst ?? t('speaker.analyst');
  const answer = answers.at(-1);
  // The links of figures are only for sighted readers.
  const text = answer ? plainWords(answerText({ ...answer, figures: [] }).lead) : '';
  if (status === 'complete' && text !== '')
    return t('announce.answeredWith', { name, text: shorten(text, spokenLength) });
  return t(endings[status], { name });
}
