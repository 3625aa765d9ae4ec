/** Who speaks, in the spec's words. */
export type MessageRole = 'coordinator' | 'assistant' | 'user' | 'user_proxy' | 'internal' | 'summary';

/** Where an answer stands. */
export type MessageStatus = 'streaming' | 'complete' | 'stopped' | 'interrupted' | 'failed';

/** Something that a message carries: a chart, a table, logs, code, a file. */
export interface TranscriptDisplayObject {
  id: string;
  name: string;
  type: string;
  /** In bytes. */
  size?: number | null | undefined;
}

/** A message as the transcript shows it. */
export interface TranscriptMessage {
  id: string;
  role: MessageRole;
  text: string;
  status: MessageStatus;
  /** The person's name, on the role `user`. */
  author?: string | null | undefined;
  /** The agent's name, on all other roles. */
  analyst?: string | null | undefined;
  /** RFC 3339. */
  createdAt: string;
  /** What is going on or went wrong, in a sentence for the reader. */
  note?: string | null | undefined;
  displayObjects: readonly TranscriptDisplayObject[];
  /** Who thinks what of it, in the word of a sentiment. */
  feedback?: readonly { readonly userId: number; readonly sentiment: string }[] | undefined;
}

const roleLabels = {
  assistant: null,
  coordinator: 'Plan',
  internal: 'Internal',
  summary: 'Summary',
  user: null,
  user_proxy: 'Output',
} as const satisfies Record<MessageRole, string | null>;

/** The word beside the speaker's name, or null where the name says enough. */
export function roleLabel(role: MessageRole): string | null {
  return roleLabels[role];
}

/** Whom a message is from. */
export function speaker(message: TranscriptMessage): string {
  if (message.role === 'user') return message.author ?? 'You';
  return message.analyst ?? 'Analyst';
}
