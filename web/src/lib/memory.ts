/** The specialists whose memories the list can be narrowed to. */
export const specialists = ['chartReview', 'insights', 'endOfTurnSummary'] as const;

export type Specialist = (typeof specialists)[number];

export function isSpecialist(value: string | null): value is Specialist {
  return specialists.some((known) => known === value);
}

/** What a list of memories is narrowed to. */
export interface MemoryQuery {
  readonly specialist: Specialist | null;
  readonly label: number | null;
  readonly type: number | null;
  readonly search: string;
  /** How many a page holds. */
  readonly size: number;
}

/** The limits of a memory's texts, in characters. */
export const memoryLimits = { name: 30, question: 2_000, response: 20_000 } as const;

/** How many memories a page of the list holds. */
export const memoryPageSize = 10;

/** The languages that a memory's code can be in. The first one is what the analyst can run. */
export const codeLanguages = ['sql', 'python'] as const;

/** A response as its form has it: words, and a piece of code. */
export interface MemoryResponse {
  text: string;
  code: string;
  language: string;
}

const fenced = /^(?<text>[\s\S]*?)(?:^|\n)```(?<language>[^\n`]*)\n(?<code>[\s\S]*?)\n?```\s*$/u;

/**
 * Takes a response apart. Only one block of code at its end has a field of its own: with several, or with words
 * behind it, the response stays one text, so that saving it again changes nothing.
 */
export function splitResponse(value: string): MemoryResponse {
  const { text, language, code } = fenced.exec(value)?.groups ?? {};
  if (text === undefined || code === undefined || `${text}${code}`.includes('```')) {
    return { text: value, code: '', language: codeLanguages[0] };
  }
  return { text: text.trimEnd(), code, language: language?.trim() || codeLanguages[0] };
}

/** Puts a response together, its code in a fenced block behind its words. */
export function joinResponse({ text, code, language }: MemoryResponse): string {
  const words = text.trim();
  if (code.trim() === '') return words;
  const block = `\`\`\`${language}\n${code.replace(/\s+$/u, '')}\n\`\`\``;
  return words === '' ? block : `${words}\n\n${block}`;
}
