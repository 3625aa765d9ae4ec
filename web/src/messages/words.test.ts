import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { projectColors } from '@/lib/project-rules';

/*
 * Every text that a person reads stands in the messages of its page, so that another language is data. This reads the
 * sources and names each text that does not.
 */

const root = join(import.meta.dirname, '..');

/** Attributes and properties that people read or hear. */
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

/** What is shown as it is in every language, or to developers alone. */
const exceptions: Readonly<Record<string, readonly string[]>> = {
  // The name of the product.
  'app/shell.tsx': ['Parley'],
  'app/sidebar.tsx': ['Parley'],
  'features/auth/sign-in-frame.tsx': ['Parley'],
  // Products and formats have one name in every language, and so have characters in Unicode.
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
  // The server's words for colours; what people read stands beside them in the messages.
  'components/project/color-field.tsx': [...projectColors, 'Purple grey'],
  'components/project/project-color.ts': [...projectColors, 'Purple grey'],
  'lib/project-rules.ts': [...projectColors, 'Purple grey'],
};

/** The showcase is for developers, and so is what tests and generated files hold. */
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
/** A text of words: at least one of three letters. Keys, units, marks and class names are none. */
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

/** What is thrown or logged is for developers: people are told by the messages. */
function isForDevelopers(node: ts.Node): boolean {
  for (let at = node.parent; !ts.isSourceFile(at); at = at.parent) {
    if (ts.isNewExpression(at) && at.expression.getText().endsWith('Error')) return true;
    if (ts.isCallExpression(at) && at.expression.getText().startsWith('console.')) return true;
    if (ts.isBlock(at) || ts.isJsxElement(at)) return false;
  }
  return false;
}

/** Whether a literal stands where only people look: in an attribute, a property or a toast. */
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
