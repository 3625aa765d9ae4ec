import { codes as t } from '@/messages/codes';

/** One broken rule of one field, with the text that the form shows. */
export interface FieldProblem {
  field: string;
  message: string;
}

/** A call that failed after its retry. `status` 0 means that there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  /** One of the catalogue's codes (E401, U401 …) or a kebab-case word of the server. */
  readonly code: string;
  readonly fields: readonly FieldProblem[];

  constructor(status: number, code: string, message: string, fields: readonly FieldProblem[] = []) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.fields = fields;
  }
}

/** The record of a failed call, kept until the error list has shown it. */
export interface RecordedError {
  id: string;
  url: string;
  status: number;
  message: string;
}

const recorded: RecordedError[] = [];

/** Remembers a failed call. One url and status is one entry, however often it fails. */
export function recordError(url: string, status: number, message: string): void {
  const id = `${status} ${url}`;
  if (!recorded.some((entry) => entry.id === id)) recorded.push({ id, url, status, message });
}

/** Returns what was recorded since the last call, and clears it. */
export function takeRecordedErrors(): RecordedError[] {
  return recorded.splice(0);
}

/** The catalogue of codes that the sign-in page explains. */
const catalogue = ['E401', 'U401', 'I500', 'D404', 'S429'] as const;

/** The sentence for a code of the catalogue. */
export function messageOfCode(code: string): string {
  return t(catalogue.find((known) => known === code) ?? 'other');
}
