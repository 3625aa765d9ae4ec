import { cutAt, markFigures } from './figures';
import type { TranscriptMessage } from './message';

/** The text of an answer in the order in which it is read. */
export interface AnswerText {
  /** The heading that a step of a blueprint begins with. */
  heading: string;
  /** Its first paragraph. */
  lead: string;
  /** What follows below the chart. */
  rest: string;
  /** What the numbers leave out. */
  caveats: string;
}

/** Cuts an answer's text: the first paragraph comes before its chart, the remarks come last. */
export function answerText(message: TranscriptMessage): AnswerText {
  const { text, figures = [], caveatsAt = 0, planStep = 0 } = message;
  const cut = caveatsAt > 0 ? cutAt(text, caveatsAt) : text.length;
  // A figure of the remarks has an offset behind the cut and is not found in what stands before it.
  const said = markFigures(text.slice(0, cut).trimEnd(), figures);
  const [heading, body] = planStep > 0 ? firstParagraph(said) : ['', said];
  const [lead, rest] = firstParagraph(body);
  return { heading, lead, rest, caveats: text.slice(cut).trim() };
}

/** Cuts behind the first empty line, and nowhere within a code block. */
function firstParagraph(text: string): [string, string] {
  const begun = text.trimStart();
  if (/^(?:`{3,}|~{3,})/u.test(begun)) return ['', begun];
  const [end] = /\n[ \t]*\n|\n(?=(?:`{3,}|~{3,}))/u.exec(begun) ?? [];
  if (end === undefined) return [begun, ''];
  const at = begun.indexOf(end);
  return [begun.slice(0, at), begun.slice(at + end.length)];
}

/** Whether enough of an answer is there to be read: its first sentence, or more. */
export function hasFirstSentence({ text, status }: TranscriptMessage): boolean {
  return text !== '' && (status !== 'streaming' || /[.!?:…][\s*_]|\n/u.test(text.trimStart()));
}
