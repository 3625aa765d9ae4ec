import { afterEach, describe, expect, it, vi } from 'vitest';
import { hotkeysNow, registerHotkey, setSingleKeys, type Hotkey } from './hotkeys';

const cleanups: (() => void)[] = [];

function listen(changes: Partial<Hotkey>): ReturnType<typeof vi.fn> {
  const run = vi.fn();
  cleanups.push(registerHotkey({ keys: 'j', label: 'Next', group: 'list', run, ...changes }));
  return (changes.run as typeof run | undefined) ?? run;
}

function press(key: string, init: KeyboardEventInit = {}, at: Element = document.body): KeyboardEvent {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...init });
  at.dispatchEvent(event);
  return event;
}

function add(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild!;
}

afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup();
  document.body.innerHTML = '';
});

describe('registerHotkey', () => {
  it('runs what a key is registered for, and keeps the key from the browser', () => {
    const run = listen({ keys: ['j', 'ArrowDown'] });
    expect(press('j').defaultPrevented).toBe(true);
    expect(press('ArrowDown').defaultPrevented).toBe(true);
    expect(press('k').defaultPrevented).toBe(false);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('tells Control and Command as one', () => {
    const run = listen({ keys: 'mod+k', inFields: true });
    press('k', { ctrlKey: true });
    press('k', { metaKey: true });
    press('k');
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('reads a sign that needs Shift as the sign', () => {
    const run = listen({ keys: '?' });
    press('?', { shiftKey: true });
    expect(run).toHaveBeenCalledOnce();
  });

  it('asks the newest first, and the one before when that has nothing to do', () => {
    const old = listen({ label: 'Old' });
    const busy = vi.fn(() => false);
    listen({ label: 'New', run: busy });
    press('j');
    expect(busy).toHaveBeenCalledOnce();
    expect(old).toHaveBeenCalledOnce();
  });

  it('leaves the key to the browser when nobody has anything to do', () => {
    listen({ run: () => false });
    expect(press('j').defaultPrevented).toBe(false);
  });

  it.each(['<input />', '<textarea></textarea>', '<div role="combobox"></div>'])(
    'does not fire in %s',
    (html) => {
      const run = listen({});
      press('j', {}, add(html));
      expect(run).not.toHaveBeenCalled();
    },
  );

  it('does not fire in a field that is in a shadow root', () => {
    const run = listen({});
    const host = add('<div></div>');
    const root = host.attachShadow({ mode: 'open' });
    root.innerHTML = '<div role="textbox"></div>';
    press('j', { composed: true }, root.firstElementChild!);
    expect(run).not.toHaveBeenCalled();
  });

  it('fires in a field when it is meant for fields too', () => {
    const run = listen({ keys: 'Escape', inFields: true });
    press('Escape', {}, add('<textarea></textarea>'));
    expect(run).toHaveBeenCalledOnce();
  });

  it('does not fire below a dialog or a menu, unless it is meant for those', () => {
    const below = listen({});
    const above = listen({ keys: 'mod+k', inDialogs: true });
    add('<div role="dialog"></div>');
    press('j');
    press('k', { ctrlKey: true });
    expect(below).not.toHaveBeenCalled();
    expect(above).toHaveBeenCalledOnce();
  });

  it('does not fire for a key that something else has taken, or that composes a character', () => {
    const run = listen({});
    press('j', { isComposing: true });
    const stop = (event: Event): void => event.preventDefault();
    document.body.addEventListener('keydown', stop);
    press('j');
    document.body.removeEventListener('keydown', stop);
    expect(run).not.toHaveBeenCalled();
  });

  it('knows two keys that follow each other', () => {
    const home = listen({ keys: 'g h', label: 'Home' });
    const lone = listen({ keys: 'h', label: 'Alone' });
    press('g');
    press('h');
    press('h');
    press('g');
    press('x');
    press('h');
    expect(home).toHaveBeenCalledOnce();
    expect(lone).toHaveBeenCalledTimes(2);
  });

  it('takes no notice of keys without a modifier once they are switched off', () => {
    const single = listen({ keys: ['j', 'g h'] });
    const named = listen({ keys: ['mod+k', 'Escape'], label: 'Other' });
    setSingleKeys(false);
    press('j');
    press('g');
    press('h');
    press('k', { ctrlKey: true });
    press('Escape');
    expect(single).not.toHaveBeenCalled();
    expect(named).toHaveBeenCalledTimes(2);
  });
});

describe('hotkeysNow', () => {
  it('lists what is registered now, and each once', () => {
    listen({ label: 'Search', keys: '/' });
    const stop = registerHotkey({ label: 'Search', keys: '/', group: 'list', run: () => undefined });
    expect(hotkeysNow().map(({ label }) => label)).toEqual(['Search']);
    stop();
    for (const cleanup of cleanups.splice(0)) cleanup();
    expect(hotkeysNow()).toEqual([]);
  });
});
