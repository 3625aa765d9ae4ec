import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { Compartment, EditorState, Transaction, type Extension } from '@codemirror/state';
import {
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { loadGrammar } from './editor-languages';
import { editorTheme } from './editor-theme';

/** The settings of the editor, initially and later. */
export interface EditorSettings {
  /** The accessible name. */
  label: string;
  /** The keys to leave the editor, for screen readers; the page shows them, too. */
  help: string;
  /** The message of the rule that the code breaks; `undefined` for none. */
  problem: string | undefined;
  readOnly: boolean;
}

interface EditorOptions {
  host: HTMLElement;
  value: string;
  language: string;
  settings: EditorSettings;
  onChange: (value: string) => void;
  onBlur: () => void;
}

/** A mounted editor. */
export interface MountedEditor {
  focus: () => void;
  /** Sets a text from outside; what has been typed since is replaced. */
  setValue: (value: string) => void;
  setLanguage: (language: string) => void;
  setSettings: (settings: EditorSettings) => void;
  destroy: () => void;
}

const tab = '  ';

/** Two spaces at the cursor; fully selected lines are indented. */
function insertTab(view: EditorView): boolean {
  const { state } = view;
  if (state.readOnly) return false;
  const { main } = state.selection;
  if (state.doc.lineAt(main.from).number !== state.doc.lineAt(main.to).number) return indentMore(view);
  view.dispatch(state.replaceSelection(tab), { scrollIntoView: true, userEvent: 'input' });
  return true;
}

/**
 * Tab indents; after Esc it leaves the editor, without a time limit, until something is typed or the editor loses
 * the focus.
 */
const tabKeys: Extension = [
  keymap.of([
    {
      key: 'Escape',
      run: (view) => {
        view.setTabFocusMode(true);
        return true;
      },
    },
    { key: 'Tab', run: insertTab },
    { key: 'Shift-Tab', run: (view) => !view.state.readOnly && indentLess(view) },
  ]),
  EditorView.updateListener.of(({ view, docChanged, selectionSet }) => {
    if (docChanged || selectionSet) view.setTabFocusMode(false);
  }),
  EditorView.domEventHandlers({ blur: (_event, view) => view.setTabFocusMode(false) }),
];

const describedBy = { help: 'help', problem: 'problem' };

/** The attributes for screen readers, and whether the text can be changed. */
function settingsOf({ label, problem, readOnly }: EditorSettings): Extension {
  return [
    EditorState.readOnly.of(readOnly),
    EditorView.contentAttributes.of({
      'aria-label': label,
      'aria-describedby':
        problem === undefined ? describedBy.help : `${describedBy.problem} ${describedBy.help}`,
      'aria-invalid': String(problem !== undefined),
      'aria-readonly': String(readOnly),
    }),
  ];
}

/**
 * Puts an editor into a shadow root of the host. There it uses adopted style sheets, which a policy without inline
 * styles allows; in the document it would insert a style element. References by id do not cross the boundary of a
 * shadow root, so the descriptions are inside it. Focusing the host focuses the text.
 */
export function mountEditor(options: EditorOptions): MountedEditor {
  const { host, value, language, settings, onChange, onBlur } = options;
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open', delegatesFocus: true });
  const document = host.ownerDocument;
  const notes = Object.values(describedBy).map((id) => {
    const note = document.createElement('p');
    note.id = id;
    note.hidden = true;
    return note;
  });
  const describe = (now: EditorSettings): void => {
    for (const note of notes)
      note.textContent = (note.id === describedBy.help ? now.help : now.problem) ?? '';
  };
  describe(settings);

  const grammar = new Compartment();
  const told = new Compartment();
  const view = new EditorView({
    root,
    doc: value,
    extensions: [
      tabKeys,
      lineNumbers(),
      history(),
      indentOnInput(),
      bracketMatching(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      EditorView.lineWrapping,
      indentUnit.of(tab),
      EditorState.tabSize.of(tab.length),
      keymap.of([...defaultKeymap, ...historyKeymap]),
      editorTheme,
      grammar.of([]),
      told.of(settingsOf(settings)),
      EditorView.updateListener.of(({ docChanged, transactions, state }) => {
        const typed = transactions.some(
          (one) => one.docChanged && one.annotation(Transaction.remote) !== true,
        );
        if (docChanged && typed) onChange(state.doc.toString());
      }),
      EditorView.domEventHandlers({ blur: () => onBlur() }),
    ],
  });
  root.replaceChildren(view.dom, ...notes);

  let wanted = language;
  const setLanguage = (next: string): void => {
    wanted = next;
    loadGrammar(next).then(
      (support) => {
        if (wanted === next) view.dispatch({ effects: grammar.reconfigure(support) });
      },
      () => {
        // The grammar could not be loaded: code without colours is complete and can be edited.
      },
    );
  };
  setLanguage(language);

  return {
    focus: () => view.focus(),
    setValue: (next) => {
      if (next === view.state.doc.toString()) return;
      view.dispatch({
        changes: { from: 0, to: view.state.doc.length, insert: next },
        annotations: Transaction.remote.of(true),
      });
    },
    setLanguage,
    setSettings: (next) => {
      describe(next);
      view.dispatch({ effects: told.reconfigure(settingsOf(next)) });
    },
    destroy: () => {
      wanted = '';
      view.destroy();
      root.replaceChildren();
    },
  };
}
