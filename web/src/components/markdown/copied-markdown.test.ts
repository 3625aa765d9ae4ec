import { describe, expect, it } from 'vitest';
import { copiedMarkdown } from './copied-markdown';

const plain = (text: string): string => copiedMarkdown(text).plain;
const html = (text: string): string => copiedMarkdown(text).html.replaceAll(/>\n+</gu, '><');

describe('an answer as words', () => {
  it.each([
    ['**Nord** leads with *12*, `net_sales` ~~not~~ 3\\_4.', 'Nord leads with 12, net_sales not 3_4.'],
    ['Nord leads.\nSüd follows.\n\n## By month\n\nNext.', 'Nord leads. Süd follows.\n\nBy month\n\nNext.'],
    ['- **Nord**: 12\n- Süd\n  - Ost\n  - West', '- Nord: 12\n- Süd\n  - Ost\n  - West'],
    ['3. one\n4. two\n\n   more', '3. one\n4. two\n   more'],
    ['- [x] done\n- [ ] open', '- ☑ done\n- ☐ open'],
    ['> Said *so*.', 'Said so.'],
    ['One<br>two', 'One\ntwo'],
    ['A <b>bold</b> tag', 'A <b>bold</b> tag'],
    ['So:\n\n```sql\nSELECT *\n  FROM **t**\n```\n\nDone.', 'So:\n\nSELECT *\n  FROM **t**\n\nDone.'],
    [
      'See [the page](https://a.example/b) or https://a.example',
      'See the page (https://a.example/b) or https://a.example',
    ],
    ['[No](javascript:alert(1))', 'No'],
    [
      '| Region | Sales |\n|---|--:|\n| **Nord** | 1,754 |\n| Süd<br>West | 12 |',
      'Region\tSales\nNord\t1,754\nSüd West\t12',
    ],
  ])('%j', (text, expected) => {
    expect(plain(text)).toBe(expected);
  });

  it('has all rows of a table that is too long to be read at once', () => {
    const rows = Array.from({ length: 600 }, (_, place) => `| **r${place}** | ${place} |`);
    const { plain: words, html: page } = copiedMarkdown(['| a | b |', '|---|---|', ...rows].join('\n'));
    expect(words.split('\n')).toEqual(['a\tb', ...rows.map((_, place) => `r${place}\t${place}`)]);
    expect(page.match(/<tr>/gu)).toHaveLength(601);
    expect(page.match(/<table>/gu)).toHaveLength(1);
  });

  it('keeps as it was written what is too much to be read', () => {
    const hostile = '*'.repeat(3000);
    expect(copiedMarkdown(hostile)).toEqual({ plain: hostile, html: `<p>${hostile}</p>` });
  });
});

describe('an answer as HTML', () => {
  it.each([
    ['**Nord** leads.\n\n- a\n- b', '<p><strong>Nord</strong> leads.</p><ul><li>a</li><li>b</li></ul>'],
    [
      '| a |\n|--:|\n| 1 |',
      '<table><thead><tr><th style="text-align: right">a</th></tr></thead><tbody><tr><td style="text-align: right">1</td></tr></tbody></table>',
    ],
    ['```\na < b\n```', '<pre><code>a &lt; b</code></pre>'],
    ['[page](https://a.example/?q="1"&r)', '<p><a href="https://a.example/?q=%221%22&amp;r">page</a></p>'],
  ])('%j', (text, expected) => {
    expect(html(text)).toBe(expected);
  });

  it.each([
    '<img src=x onerror=alert(1)>',
    'a <script>alert(1)</script>',
    '[x](javascript:alert(1))',
    '![x](https://elsewhere.example/pixel.png)',
    '`<iframe>`',
  ])('runs and fetches nothing where it is pasted: %s', (text) => {
    const pasted = new DOMParser().parseFromString(copiedMarkdown(text).html, 'text/html');
    expect(pasted.querySelectorAll('img, script, iframe, a')).toHaveLength(0);
  });
});
