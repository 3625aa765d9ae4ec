import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/*
 * The colours are custom properties, which reach into the shadow root, so one theme serves light and dark. They are
 * those of a code block (code-editor.module.css).
 */
const frame = EditorView.theme({
  '&': { backgroundColor: 'transparent', color: 'var(--gray-12)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--code-font-family)',
    lineHeight: '1.6',
    minHeight: 'var(--editor-least)',
    maxHeight: 'var(--editor-most)',
    overflow: 'auto',
  },
  '.cm-content': { caretColor: 'var(--gray-12)', padding: '10px 0' },
  '.cm-line': { padding: '0 12px 0 8px' },
  '.cm-gutters': { backgroundColor: 'transparent', border: 'none', color: 'var(--gray-11)' },
  '.cm-gutters .cm-gutterElement': { padding: '0 4px 0 12px', minWidth: '28px' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine, &.cm-focused .cm-activeLineGutter': { backgroundColor: 'var(--gray-a3)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--accent-a4)', outline: 'none' },
  '.cm-content ::selection': { backgroundColor: 'var(--accent-a5)' },
  '.cm-placeholder': { color: 'var(--gray-11)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--code-number)' },
  {
    tag: [tags.function(tags.variableName), tags.definition(tags.variableName), tags.propertyName],
    color: 'var(--code-name)',
  },
  { tag: [tags.typeName, tags.className, tags.tagName, tags.namespace], color: 'var(--code-type)' },
  { tag: [tags.comment, tags.meta], color: 'var(--gray-11)', fontStyle: 'italic' },
  { tag: tags.heading, color: 'var(--code-keyword)', fontWeight: '600' },
  { tag: tags.strong, fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
]);

/** How the editor looks, in both themes. */
export const editorTheme: Extension = [frame, syntaxHighlighting(colours)];
