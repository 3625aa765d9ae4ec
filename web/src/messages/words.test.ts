import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { projectColors } from '@/lib/project-rules';

/*
 * Every text that a person reads must be in the messages of its page, so that another language is only data. This
 * test reads the sources and lists each text that is not.
 */

const root = join(import.meta.dirname, '..');

/** Attributes and properties with texts for people. */
const spoken = new Set([
  'alt',
  'aria-description',
  'aria-label',
  'aria-roledescription',
  'busyLabel',
  'caption',
  'confirmLabel',
  'content',
  'description',
  'emptyText',
  'label',
  'message',
  'placeholder',
  'subtitle',
  'submitLabel',
  'text',
  'title',
]);

/** Texts that are the same in every language, or only for developers. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The name of the product.
  'app/shell.tsx': ['Parley'],
  'app/sidebar.tsx': ['Parley'],
  'features/auth/sign-in-frame.tsx': ['Parley'],
  // Products and formats have the same name in every language, and so do Unicode characters.
  'components/code-block/languages.ts': ['Text'],
  'components/code-block/visible-controls.ts': ['Arabic letter mark'],
  'lib/connector-type.ts': [
    'Google Cloud Storage',
    'Google Sheets',
    'Google Slides',
    'Tableau Hyper',
    'The Trade Desk',
  ],
  'features/tasks/time-zone-field.tsx': ['(UTC )'],
  // A question to an analyst, in the language of the data.
  'components/chart/rows-question.ts': ['Of those, show the rows'],
  // The server's names of colours; the names for people are in the messages.
  'components/project/color-field.tsx': [...projectColors, 'Purple grey'],
  'components/project/project-color.ts': [...projectColors, 'Purple grey'],
  'lib/project-rules.ts': [...projectColors, 'Purple grey'],
};

/** The showcase is for developers, and so are the texts in tests and generated files. */
const skipped = /^(?:testing|messages|features\/showcase)\/|\.test\.tsx?$|\.gen\.ts$|\.d\.ts$/u;

function sources(folder = root): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sources(path);
    return /\.tsx?$/u.test(entry.name) && !skipped.test(relative(root, path)) ? [path] : [];
  });
}

/** An id of a text, of an icon or of a toast: `archive.title`. */
const isId = (text: string): boolean => /^[a-z][\w.-]*$/u.test(text.trim());
/** A text of words: at least one of three letters. Keys, units, marks and class names do not count. */
const hasWord = (text: string): boolean => /\p{L}{3}/u.test(text);
/** Two words as a sentence or a label begins; an identifier has no space. */
const isSentence = (text: string): boolean => /^\p{Lu}\p{Ll}+,? \p{L}[\p{L}’'-]*/u.test(text.trim());

/** The text of a literal, with its placeholders left out. */
function textOf(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isTemplateExpression(node))
    return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join(' ');
  return null;
}

/** Texts that are thrown or logged are for developers; people read the messages, and what a failed call says. */
function isForDevelopers(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isNewExpression(at)) {
      const name = at.expression.getText();
      if (name.endsWith('Error')) return name !== 'ApiError';
    }
    if (ts.isCallExpression(at) && at.expression.getText().startsWith('console.')) return true;
    if (ts.isBlock(at) || ts.isJsxElement(at)) return false;
  }
  return false;
}

/** Whether a literal is in a place for people: in an attribute, a property or a toast. */
function isSpoken(node: ts.Node): boolean {
  const { parent } = node;
  const value = ts.isJsxExpression(parent) ? parent.parent : parent;
  if (ts.isJsxAttribute(value)) return spoken.has(value.name.getText());
  if (ts.isPropertyAssignment(parent)) return spoken.has(parent.name.getText());
  return ts.isCallExpression(parent) && /^(?:notify|toast)\./u.test(parent.expression.getText());
}

function wordsOf(path: string): string[] {
  const file = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true);
  const name = relative(root, path).replaceAll('\\', '/');
  const found: string[] = [];
  function visit(node: ts.Node): void {
    const text = ts.isJsxText(node) ? node.text : textOf(node);
    if (text !== null && !ts.isImportDeclaration(node.parent)) {
      const shown = ts.isJsxText(node)
        ? hasWord(text)
        : (isSpoken(node) && hasWord(text) && !isId(text)) || (isSentence(text) && !isForDevelopers(node));
      if (shown && !(exceptions[name] ?? []).includes(text.trim())) found.push(`${name}: ${text.trim()}`);
    }
    ts.forEachChild(node, visit);
  }
  visit(file);
  return found;
}

it('has every text that people read in the messages', () => {
  const files = sources();
  expect(files.length).toBeGreaterThan(300);
  expect(files.flatMap(wordsOf)).toEqual([]);
});
