import { byteLength, cutAt, markFigures } from './figures';
import type { Figure, TranscriptMessage } from './message';
import { figuresOf } from './summary-figures';

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
  return { heading, lead, rest, caveats: markFigures(text.slice(cut), behind(figures, caveatsAt)).trim() };
}

/** Figures as a text counts them that begins at these bytes. Those before it have places that it does not have. */
function behind(figures: readonly Figure[], bytes: number): Figure[] {
  return figures.map((figure) => ({ ...figure, start: figure.start - bytes, end: figure.end - bytes }));
}

/**
 * A summary that stands for answers which are not shown. What they say that their numbers leave out holds for it too.
 * What it says in their words is emphasised as it is there, and its numbers are the cells that they are there.
 */
export function standingFor(
  summary: TranscriptMessage,
  answers: readonly TranscriptMessage[],
): TranscriptMessage {
  if ((summary.caveatsAt ?? 0) > 0) return summary;
  // Figures of its own are counted in its own letters, without marks.
  const own = (summary.figures ?? []).length > 0;
  const text = (own ? summary.text : emphasisedAs(summary.text, answers[0]?.text ?? '')).trimEnd();
  const figures = own ? summary.figures : figuresOf(text, answers);
  // The numbers of remarks are words here.
  const caveats = [
    ...new Set(answers.map((answer) => answerText({ ...answer, figures: [] }).caveats)),
  ].filter(Boolean);
  if (caveats.length === 0) return { ...summary, text, figures };
  const said = `${text}\n\n`;
  return { ...summary, text: said + caveats.join('\n\n'), caveatsAt: byteLength(said), figures };
}

/** Puts the bold letters of an answer upon the words that a plain text begins with in common with it. */
function emphasisedAs(plain: string, answer: string): string {
  if (plain.includes('**')) return plain;
  let [at, from, bold] = [0, 0, false];
  // Up to where the texts are the same and nothing bold is open.
  let same = { at, from };
  while (at < plain.length) {
    if (answer.startsWith('**', from)) {
      bold = !bold;
      from += 2;
    } else if (answer[from] === plain[at]) {
      at++;
      from++;
    } else break;
    if (!bold) same = { at, from };
  }
  // The last word may be bold, and its end stands behind it.
  if (bold && answer.startsWith('**', from)) same = { at, from: from + 2 };
  return answer.slice(0, same.from) + plain.slice(same.at);
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
