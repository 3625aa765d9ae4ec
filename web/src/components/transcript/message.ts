import type { Annotation, MessageRole, MessageStatus, ShownColumn } from '@/lib/wire';

/** Something that a message carries: a chart, a table, logs, code, a file. */
export interface TranscriptDisplayObject {
  id: string;
  name: string;
  type: string;
  /** In bytes. */
  size?: number | null | undefined;
  /** For code, whose type is always python: the language that it is really in. */
  language?: string | null | undefined;
  /** How people read the columns of a table or chart, if the server knows it. */
  columns?: readonly ShownColumn[] | undefined;
}

/** A number in a text and the cell that it was read from, or the cells that it was calculated from. */
export interface Figure {
  /** Where it begins and ends in the text, in bytes of UTF-8. */
  readonly start: number;
  readonly end: number;
  /** The table, by the id of its display object. */
  readonly object: string;
  /** From 0, without the heading. */
  readonly row: number;
  readonly column: number;
  /** How it was calculated from cells; left out if it is the cell itself. */
  readonly of?: 'rows' | 'sum' | 'groupSum' | 'share' | 'difference' | 'change' | 'times' | undefined;
  /** The row to compare with, or the column of a `groupSum`; 0 if left out. */
  readonly other?: number | undefined;
}

/** Something that an answer took of the data, and what can be said instead. */
export type Assumption = NonNullable<Annotation['assumptions']>[number];

/** What an answer rests on. */
export type Grade = NonNullable<Annotation['grade']>;

/** One kind of check of an answer's figures. */
export type AnswerCheck = NonNullable<Annotation['checks']>[number];

/** The field and the value of a correction. */
export type Statement = Assumption['taken'];

/** The resources that an answer used. */
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
  /** The turn that it belongs to: a prompt and the work that answers it. `null` if the server has not sent it. */
  turnId?: string | null | undefined;
  /** Whether an assistant's message is part of the answer or only of the work that led to it; `''` if unknown. */
  part?: 'answer' | 'working' | '' | undefined;
  /** The step of a blueprint that it belongs to, from 1. */
  planStep?: number | undefined;
  /** Where its remarks on what the numbers leave out begin, in bytes; 0 if there are none. */
  caveatsAt?: number | undefined;
  /** The numbers in its text that are cells of a table, or were calculated from cells. */
  figures?: readonly Figure[] | undefined;
  /** The table that is the answer: the id of a display object of another message of the turn. */
  table?: string | null | undefined;
  /** Follow-up questions. */
  followUps?: readonly string[] | undefined;
  /** What the answer took of the data although nobody said so. */
  assumptions?: readonly Assumption[] | undefined;
  /** What the answer rests on; left out if that is not known. */
  grade?: Grade | undefined;
  /** What was checked of its figures. */
  checks?: readonly AnswerCheck[] | undefined;
  facts?: TurnFacts | null | undefined;
  /** The person's name, for the role `user`. */
  author?: string | null | undefined;
  /** The person's id; `null` for a message that was sent from here and is not confirmed yet. */
  authorId?: string | null | undefined;
  /** The agent's name, for all other roles. */
  analyst?: string | null | undefined;
  /** RFC 3339. */
  createdAt: string;
  /** The progress or the error, in a sentence for the reader. */
  note?: string | null | undefined;
  displayObjects: readonly TranscriptDisplayObject[];
  /** The feedback of each person, as the name of a sentiment. */
  feedback?: readonly { readonly userId: number; readonly sentiment: string }[] | undefined;
}
