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

/** Splits an answer's text: the first paragraph comes before its chart, the remarks come last. */
export function answerText(message: TranscriptMessage): AnswerText {
  const { text, figures = [], caveatsAt = 0, planStep = 0 } = message;
  const cut = caveatsAt > 0 ? cutAt(text, caveatsAt) : text.length;
  // A figure of the remarks has an offset after the cut and is therefore not found in the text before it.
  const said = markFigures(text.slice(0, cut).trimEnd(), figures);
  const [heading, body] = planStep > 0 ? firstParagraph(said) : ['', said];
  const [lead, rest] = firstParagraph(body);
  return { heading, lead, rest, caveats: markFigures(text.slice(cut), behind(figures, caveatsAt)).trim() };
}

/**
 * Figures with offsets relative to a text that begins at this byte. Figures before it get negative offsets, which
 * do not exist in that text.
 */
function behind(figures: readonly Figure[], bytes: number): Figure[] {
  return figures.map((figure) => ({ ...figure, start: figure.start - bytes, end: figure.end - bytes }));
}

/**
 * A summary that stands for answers which are not shown. Their remarks on what the numbers leave out apply to it
 * too. Text that it repeats has the same emphasis as in the answers, and the numbers in it refer to the same cells.
 */
export function replacementFor(
  summary: TranscriptMessage,
  answers: readonly TranscriptMessage[],
): TranscriptMessage {
  if ((summary.caveatsAt ?? 0) > 0) return summary;
  // The offsets of its own figures are for its own text, without added markup.
  const own = (summary.figures ?? []).length > 0;
  const text = (own ? summary.text : emphasisedAs(summary.text, answers[0]?.text ?? '')).trimEnd();
  const figures = own ? summary.figures : figuresOf(text, answers);
  // The numbers in remarks are plain text here.
  const caveats = [
    ...new Set(answers.map((answer) => answerText({ ...answer, figures: [] }).caveats)),
  ].filter(Boolean);
  if (caveats.length === 0) return { ...summary, text, figures };
  const said = `${text}\n\n`;
  return { ...summary, text: said + caveats.join('\n\n'), caveatsAt: byteLength(said), figures };
}

/** Applies the bold markup of an answer to the beginning of a plain text that is identical to the answer. */
function emphasisedAs(plain: string, answer: string): string {
  if (plain.includes('**')) return plain;
  let [at, from, bold] = [0, 0, false];
  // The end of the identical part at which no bold text is open.
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
  // The last word may be bold; the closing marks follow it.
  if (bold && answer.startsWith('**', from)) same = { at, from: from + 2 };
  return answer.slice(0, same.from) + plain.slice(same.at);
}

/** Cuts after the first empty line, but never within a code block. */
function firstParagraph(text: string): [string, string] {
  const begun = text.trimStart();
  if (/^(?:`{3,}|~{3,})/u.test(begun)) return ['', begun];
  const [end] = /\n[ \t]*\n|\n(?=(?:`{3,}|~{3,}))/u.exec(begun) ?? [];
  if (end === undefined) return [begun, ''];
  const at = begun.indexOf(end);
  return [begun.slice(0, at), begun.slice(at + end.length)];
}

/** Whether enough of an answer has arrived to be read: at least its first sentence. */
export function hasFirstSentence({ text, status }: TranscriptMessage): boolean {
  return text !== '' && (status !== 'streaming' || /[.!?:…][\s*_]|\n/u.test(text.trimStart()));
}
