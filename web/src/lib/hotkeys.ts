/**
 * The keys of the app, in one place: a component that wants a key registers it, and the dialog of keys lists the
 * keys that are registered at that moment. One listener on the document serves all of them.
 */

/** The heading under which the dialog of keys lists a key. */
export const hotkeyGroups = ['anywhere', 'go', 'list', 'conversation', 'editor'] as const;

export type HotkeyGroup = (typeof hotkeyGroups)[number];

export interface Hotkey {
  /**
   * A key such as `/`, `Escape` or `j`, one with modifiers such as `mod+k` (Command on a Mac, Control elsewhere) and
   * `alt+ArrowUp`, or two that follow each other, such as `g h`. Several are separated in a list.
   */
  keys: string | readonly string[];
  /** What it does, for the dialog of keys. */
  label: string;
  group: HotkeyGroup;
  /**
   * Returns `false` if it does not handle the key now: the key is then passed to the handler that was registered
   * before, or to the browser.
   */
  run: (event: KeyboardEvent) => unknown;
  /** Also while the focus is in a field. Only for keys with modifiers, and Escape. */
  inFields?: boolean;
  /** Also while a dialog or a menu is open. */
  inDialogs?: boolean;
}

const storageKey = 'parley.singleKeys';
/** The second key of a sequence must follow within this time, in milliseconds. */
const sequenceTime = 1_000;

const registered: Hotkey[] = [];
const first = { key: '', at: 0 };

/** Whether keys without a modifier are enabled: a person who uses speech input may have to switch them off. */
export function singleKeysOn(): boolean {
  return localStorage.getItem(storageKey) !== 'off';
}

export function setSingleKeys(on: boolean): void {
  if (on) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, 'off');
}

/** The hotkeys that are registered now; if several have the same label, the newest one. */
export function hotkeysNow(): Hotkey[] {
  const byLabel = new Map(registered.map((hotkey) => [`${hotkey.group} ${hotkey.label}`, hotkey]));
  return [...byLabel.values()];
}

/** The keys of a hotkey as a list. */
export function keysOf(hotkey: Hotkey): readonly string[] {
  return typeof hotkey.keys === 'string' ? [hotkey.keys] : hotkey.keys;
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'))
  );
}

/** Whether an element that takes all keyboard input covers the page. */
function isCovered(): boolean {
  return (
    document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"], dialog[open]') !== null
  );
}

/** The notation of an event: `mod+k`, `shift+Enter`, `?`. */
function writtenKey(event: KeyboardEvent): string {
  const { key } = event;
  const parts: string[] = [];
  if (event.metaKey || event.ctrlKey) parts.push('mod');
  if (event.altKey) parts.push('alt');
  // With Shift a character key already has a different character; only keys with a name need the modifier.
  if (event.shiftKey && key.length > 1) parts.push('shift');
  parts.push(key.length === 1 ? key.toLowerCase() : key);
  return parts.join('+');
}

/** A key that types a character, or a sequence of such keys: a person can switch these off. */
function isSingle(keys: string): boolean {
  return !keys.includes('+') && keys.split(' ').every((key) => key.length === 1);
}

function isAllowed(hotkey: Hotkey, inField: boolean, covered: boolean): boolean {
  return (!inField || hotkey.inFields === true) && (!covered || hotkey.inDialogs === true);
}

function handle(event: KeyboardEvent): void {
  if (event.defaultPrevented || event.isComposing || ['Shift', 'Control', 'Alt', 'Meta'].includes(event.key))
    return;
  const written = writtenKey(event);
  const sequence =
    event.timeStamp - first.at <= sequenceTime && first.key !== '' ? `${first.key} ${written}` : null;
  first.key = '';
  // For a field within a shadow root, such as a code editor's, the target is only its host element.
  const inField = isField(event.composedPath()[0] ?? event.target);
  const covered = isCovered();
  const single = singleKeysOn();
  const allowed = registered.filter((hotkey) => isAllowed(hotkey, inField, covered)).reverse();
  for (const wanted of sequence === null ? [written] : [sequence, written]) {
    if (!single && isSingle(wanted)) continue;
    for (const hotkey of allowed) {
      if (!keysOf(hotkey).includes(wanted) || hotkey.run(event) === false) continue;
      event.preventDefault();
      return;
    }
  }
  const begins = allowed.some((hotkey) => keysOf(hotkey).some((keys) => keys.startsWith(`${written} `)));
  if (begins) Object.assign(first, { key: written, at: event.timeStamp });
}

/** Registers a key, with priority over those that are registered already. Returns a function that removes it. */
export function registerHotkey(hotkey: Hotkey): () => void {
  if (registered.length === 0) document.addEventListener('keydown', handle);
  registered.push(hotkey);
  return () => {
    const place = registered.indexOf(hotkey);
    if (place >= 0) registered.splice(place, 1);
    if (registered.length === 0) document.removeEventListener('keydown', handle);
  };
}
