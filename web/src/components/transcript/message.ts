import type { ShownColumn } from '@/lib/wire';

/** The author of a message, in the words of the specification. */
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
  /** Of code that is named python: in which language it really is. */
  language?: string | null | undefined;
  /** How people read the columns of a table or chart, where the server knows it. */
  columns?: readonly ShownColumn[] | undefined;
}

/** A number of a text and the cell that it was read from, or the cells that it follows from. */
export interface Figure {
  /** Where it begins and ends in the text, in bytes of UTF-8. */
  readonly start: number;
  readonly end: number;
  /** The table, by the id of its display object. */
  readonly object: string;
  /** From 0, without the heading. */
  readonly row: number;
  readonly column: number;
  /** How it follows from cells; left out where it is the cell itself. */
  readonly of?: 'rows' | 'sum' | 'groupSum' | 'share' | 'difference' | 'change' | 'times' | undefined;
  /** The row that is compared with, or the column of a `groupSum`; 0 where left out. */
  readonly other?: number | undefined;
}

/** What an answer took. */
export interface TurnFacts {
  readonly queries: number;
  readonly seconds: number;
  readonly credits: number;
}

/** A message as the transcript shows it. */
export interface TranscriptMessage {
  id: string;
  role: MessageRole;
  text: string;
  status: MessageStatus;
  /** What it belongs to: a prompt and the work that answers it. `null` where the server has not said. */
  turnId?: string | null | undefined;
  /** Whether an assistant's message is part of the answer or only of the way to it; `''` where nobody has said. */
  part?: 'answer' | 'working' | '' | undefined;
  /** The step of a blueprint that it belongs to, from 1. */
  planStep?: number | undefined;
  /** Where its remarks on what the numbers leave out begin, in bytes; 0 where there are none. */
  caveatsAt?: number | undefined;
  /** The numbers of its text that are cells of a table, or follow from such. */
  figures?: readonly Figure[] | undefined;
  /** The table that is its answer, by the id of a display object of another message of the turn. */
  table?: string | null | undefined;
  /** Questions that follow. */
  followUps?: readonly string[] | undefined;
  facts?: TurnFacts | null | undefined;
  /** The person's name, on the role `user`. */
  author?: string | null | undefined;
  /** Who that is; `null` for what was sent from here and not confirmed yet. */
  authorId?: string | null | undefined;
  /** The agent's name, on all other roles. */
  analyst?: string | null | undefined;
  /** RFC 3339. */
  createdAt: string;
  /** What is going on or went wrong, in a sentence for the reader. */
  note?: string | null | undefined;
  displayObjects: readonly TranscriptDisplayObject[];
  /** The feedback of each person, as the name of a sentiment. */
  feedback?: readonly { readonly userId: number; readonly sentiment: string }[] | undefined;
}
