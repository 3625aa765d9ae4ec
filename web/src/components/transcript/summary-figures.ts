import { byteLength, cutAt } from './figures';
import type { Figure, TranscriptMessage } from './message';

/** A text without the marks of bold text, and the index of each of its characters in the text with them. */
interface Plain {
  readonly text: string;
  readonly at: readonly number[];
}

/**
 * The figures of a summary, found in the answers that it repeats. Only an identical sentence, from the beginning of
 * its paragraph, shows that a number is the same one: equal digits alone may come from another cell.
 */
export function figuresOf(summary: string, answers: readonly TranscriptMessage[]): Figure[] {
  const said = plainOf(summary);
  const found: Figure[] = [];
  let from = 0;
  for (const { text, figures = [] } of answers) {
    let end = from;
    for (const figure of figures) {
      const [start, stop] = [cutAt(text, figure.start), cutAt(text, figure.end)];
      const context = contextOf(text, start, stop);
      const place = said.text.indexOf(context.text, from);
      if (place === -1) continue;
      const first = said.at[place + context.until];
      if (first === undefined) continue;
      const begun = byteLength(summary.slice(0, first));
      found.push({ ...figure, start: begun, end: begun + byteLength(context.number) });
      // Two answers may contain the same sentence: each sentence of the summary belongs to one of them, in their
      // order.
      end = Math.max(end, place + context.text.length);
    }
    from = end;
  }
  return found.toSorted((one, other) => one.start - other.start);
}

/** The context of a number: the text from the beginning of its paragraph to the end of its sentence. */
function contextOf(text: string, start: number, stop: number) {
  const begin = text.lastIndexOf('\n\n', start) + 1;
  const [paragraph = ''] = text.slice(stop).split('\n\n', 1);
  const [sentence = paragraph] = /^[^\n]*?[.!?](?=[\s*]|$)/u.exec(paragraph) ?? [];
  const number = text.slice(start, stop);
  const before = plainOf(text.slice(begin, start)).text.trimStart();
  return {
    text: before + number + plainOf(sentence).text,
    number,
    /** Where the number begins in it. */
    until: before.length,
  };
}

function plainOf(text: string): Plain {
  const at: number[] = [];
  let plain = '';
  for (let i = 0; i < text.length; i++) {
    if (text.startsWith('**', i)) {
      i++;
      continue;
    }
    at.push(i);
    plain += text[i] ?? '';
  }
  return { text: plain, at };
}
