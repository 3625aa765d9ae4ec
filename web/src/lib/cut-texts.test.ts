import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { showCutTexts } from './cut-texts';

let stop: () => void;

beforeEach(() => {
  stop = showCutTexts();
});

afterEach(() => {
  stop();
  document.body.replaceChildren();
});

/** A text of this width in a place of 100 px, and its inner element, over which the pointer is. */
function shown(width: number, style = 'text-overflow: ellipsis', around = ''): [HTMLElement, HTMLElement] {
  document.body.innerHTML = `<div ${around}><p style="${style}">Orchard <b>harvest</b></p></div>`;
  const [text, inner] = [document.querySelector('p'), document.querySelector('b')];
  if (text === null || inner === null) throw new Error('the text is missing');
  Object.defineProperty(text, 'clientWidth', { value: 100 });
  Object.defineProperty(text, 'scrollWidth', { value: width, configurable: true });
  return [text, inner];
}

const point = (at: HTMLElement) => at.dispatchEvent(new Event('pointerover', { bubbles: true }));

describe('a text under the pointer', () => {
  it('that is cut says itself whole, and no more when it fits', () => {
    const [text, inner] = shown(180);
    point(inner);
    expect(text.title).toBe('Orchard harvest');
    text.textContent = 'Harvest of the orchard';
    point(text);
    expect(text.title).toBe('Harvest of the orchard');
    Object.defineProperty(text, 'scrollWidth', { value: 90 });
    point(text);
    expect(text.hasAttribute('title')).toBe(false);
  });

  it.each([
    ['that fits', 100, 'text-overflow: ellipsis', ''],
    ['that scrolls', 180, 'overflow: auto', ''],
    ['with a tooltip around it', 180, 'text-overflow: ellipsis', 'title="Of another name"'],
  ])('%s is left as it is', (_, width, style, around) => {
    const [text, inner] = shown(width, style, around);
    point(inner);
    expect(text.hasAttribute('title')).toBe(false);
  });
});
