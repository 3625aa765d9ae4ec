import { describe, expect, it } from 'vitest';
import { linkTarget, ownImage } from './links';

const origin = 'https://parley.example';

describe('linkTarget', () => {
  it.each([
    ['javascript:alert(1)'],
    ['JaVaScRiPt:alert(1)'],
    ['java\nscript:alert(1)'],
    ['\u0001javascript:alert(1)'],
    ['data:text/html,<script>'],
    ['vbscript:x'],
    ['file:///etc/passwd'],
    ['blob:https://parley.example/x'],
    ['mailto:a@b.example'],
    ['tel:1'],
    ['https://'],
    [''],
    [undefined],
  ])('H04: %s leads nowhere', (href) => {
    expect(linkTarget(href, origin)).toEqual({ kind: 'none' });
  });

  it.each([
    ['https://evil.example/a?b#c', 'evil.example'],
    ['//evil.example', 'evil.example'],
    ['\\\\evil.example', 'evil.example'],
    ['https:evil.example', 'evil.example'],
    ['https://parley.example@evil.example/', 'evil.example'],
    ['https://parley.example.evil.example/', 'parley.example.evil.example'],
    ['http://parley.example/', 'parley.example'],
    ['https://parley.example:8443/', 'parley.example:8443'],
    ['https://\u0430pple.com/', 'xn--pple-43d.com'],
  ])('H04: %s is foreign and names its host', (href, host) => {
    expect(linkTarget(href, href === 'https:evil.example' ? 'http://parley.example' : origin)).toMatchObject({
      kind: 'foreign',
      host,
    });
  });

  it.each([
    ['/datasources/3?tab=1#x', '/datasources/3?tab=1#x'],
    ['https://parley.example/home', '/home'],
  ])('%s stays in the app', (href, path) => {
    expect(linkTarget(href, origin)).toEqual({ kind: 'own', path });
  });
});

describe('ownImage', () => {
  it.each([
    ['https://evil.example/x.png'],
    ['//evil.example/x.png'],
    ['data:image/svg+xml,<svg onload=alert(1)>'],
    ['blob:https://evil.example/1'],
    ['javascript:1'],
    [undefined],
  ])('H03: %s is not loaded', (source) => {
    expect(ownImage(source, origin)).toBeNull();
  });

  it.each([
    [
      '/api/v1/discourse/displayobjects/1/content',
      'https://parley.example/api/v1/discourse/displayobjects/1/content',
    ],
    ['blob:https://parley.example/1-2', 'blob:https://parley.example/1-2'],
  ])('%s is ours', (source, address) => {
    expect(ownImage(source, origin)).toBe(address);
  });
});
