import type { StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

/** The languages that an editor offers, the default first. Each has its colours here and in a code block. */
export const editorLanguages = [
  'python',
  'sql',
  'r',
  'bash',
  'javascript',
  'typescript',
  'java',
  'json',
  'yaml',
  'xml',
  'html',
  'markdown',
] as const;

export type EditorLanguage = (typeof editorLanguages)[number];

/** Each grammar is a separate file, loaded when a user writes in the language. */
const grammars: Readonly<Record<EditorLanguage, () => Promise<Extension>>> = {
  python: async () => (await import('@codemirror/lang-python')).python(),
  sql: async () => (await import('@codemirror/lang-sql')).sql(),
  r: async () => legacy((await import('@codemirror/legacy-modes/mode/r')).r),
  bash: async () => legacy((await import('@codemirror/legacy-modes/mode/shell')).shell),
  javascript: async () => (await import('@codemirror/lang-javascript')).javascript({ jsx: true }),
  typescript: async () => (await import('@codemirror/lang-javascript')).javascript({ typescript: true }),
  java: async () => (await import('@codemirror/lang-java')).java(),
  json: async () => (await import('@codemirror/lang-json')).json(),
  yaml: async () => (await import('@codemirror/lang-yaml')).yaml(),
  xml: async () => (await import('@codemirror/lang-xml')).xml(),
  html: async () => (await import('@codemirror/lang-html')).html(),
  markdown: async () => (await import('@codemirror/lang-markdown')).markdown(),
};

/** A grammar for the editor's fifth version; some languages have no other yet. */
async function legacy<State>(parser: StreamParser<State>): Promise<Extension> {
  const { StreamLanguage } = await import('@codemirror/language');
  return StreamLanguage.define(parser);
}

/** Loads a grammar. A language that is not offered has no colours. */
export async function loadGrammar(language: string): Promise<Extension> {
  const known = editorLanguages.find((one) => one === language);
  return known === undefined ? [] : grammars[known]();
}
