import { limitsOfMemoryRequest as limits } from '@/api/limits.gen';

/** The specialists by which the list of memories can be filtered. */
export const specialists = ['chartReview', 'insights', 'endOfTurnSummary'] as const;

export type Specialist = (typeof specialists)[number];

export function isSpecialist(value: string | null): value is Specialist {
  return specialists.some((known) => known === value);
}

/** The filters of a list of memories. */
export interface MemoryQuery {
  readonly specialist: Specialist | null;
  readonly label: number | null;
  readonly type: number | null;
  readonly search: string;
  /** The number of memories on a page. */
  readonly size: number;
}

/** The limits of a memory's texts, in characters. */
export const memoryLimits = {
  name: limits.name.characters,
  question: limits.question.characters,
  response: limits.response.characters,
} as const;

/** The number of memories on a page of the list. */
export const memoryPageSize = 10;

/** The languages that a memory's code can be in. The first one is what the analyst can run. */
export const codeLanguages = ['sql', 'python'] as const;

/** A response in the form: text, and a piece of code. */
export interface MemoryResponse {
  text: string;
  code: string;
  language: string;
}

const fenced = /^(?<text>[\s\S]*?)(?:^|\n)```(?<language>[^\n`]*)\n(?<code>[\s\S]*?)\n?```\s*$/u;

/**
 * Splits a response. Only a single block of code at its end gets a separate field: with several blocks, or with
 * text after the block, the response stays one text, so that saving it again changes nothing.
 */
export function splitResponse(value: string): MemoryResponse {
  const { text, language, code } = fenced.exec(value)?.groups ?? {};
  if (text === undefined || code === undefined || `${text}${code}`.includes('```')) {
    return { text: value, code: '', language: codeLanguages[0] };
  }
  return { text: text.trimEnd(), code, language: language?.trim() || codeLanguages[0] };
}

/** Joins a response: its text, followed by its code in a fenced block. */
export function joinResponse({ text, code, language }: MemoryResponse): string {
  const words = text.trim();
  if (code.trim() === '') return words;
  const block = `\`\`\`${language}\n${code.replace(/\s+$/u, '')}\n\`\`\``;
  return words === '' ? block : `${words}\n\n${block}`;
}
