import { speaker, type TranscriptMessage } from './message';

const endings = {
  streaming: 'is answering',
  complete: 'has answered',
  stopped: 'was stopped',
  interrupted: 'was interrupted',
  failed: 'could not answer',
} as const;

/** What a screen reader says about the last message: it changes when an answer starts and ends, never in between. */
export function announcement(last: TranscriptMessage | undefined): string {
  if (last === undefined || last.role === 'user') return '';
  return `${speaker(last)} ${endings[last.status]}.`;
}
