import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { patience } from './eventually';
import { server } from './server';

// What jsdom does not implement and every page uses.
window.matchMedia = (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;
/** Nothing has a size in jsdom, so there is nothing to observe. */
class NoResizeObserver implements ResizeObserver {
  readonly observe = (): undefined => undefined;
  readonly unobserve = (): undefined => undefined;
  readonly disconnect = (): undefined => undefined;
}
globalThis.ResizeObserver = NoResizeObserver;
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.hasPointerCapture = () => false;
globalThis.CSS = { ...globalThis.CSS, supports: () => true };
// jsdom knows only for the first document whether the keyboard set the focus. The document is kept as long as its
// worker, so this is installed once.
if (!Reflect.has(Element.prototype.matches, 'knowsKeys')) {
  let lastByKey = false;
  document.addEventListener('keydown', () => (lastByKey = true), { capture: true });
  document.addEventListener('pointerdown', () => (lastByKey = false), { capture: true });
  const matches = Reflect.get(Element.prototype, 'matches');
  const matchesNow = function matchesNow(this: Element, selector: string): boolean {
    return selector === ':focus-visible'
      ? lastByKey && this === document.activeElement
      : matches.call(this, selector);
  };
  Element.prototype.matches = Object.assign(matchesNow, { knowsKeys: true });
}

// Modules that are loaded on first use, such as Markdown, take some time on a busy machine.
configure({ asyncUtilTimeout: patience });

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  server.resetHandlers();
  vi.useRealTimers();
  localStorage.clear();
  sessionStorage.clear();
});
afterAll(() => {
  server.close();
  // Files share a worker and its document, which halves the time of all tests: both are reset for each file.
  for (const name of document.documentElement.getAttributeNames())
    document.documentElement.removeAttribute(name);
  document.head.replaceChildren();
  document.body.replaceChildren();
  window.history.replaceState(null, '', '/');
  vi.resetModules();
});
