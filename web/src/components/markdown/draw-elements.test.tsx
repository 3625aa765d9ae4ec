import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { expect, it } from 'vitest';
import { answerMarkdown, hostileMarkdown } from '@/testing/fixtures/components';
import { drawElements } from './draw-elements';
import { readMarkdown } from './read-markdown';

const texts: Record<string, string> = {
  'an answer': answerMarkdown,
  'a hostile one': hostileMarkdown,
  'HTML that is text': 'a <b onclick="x()">b</b> <script>alert(1)</script>\n\n<div>\n\n*c*\n\n</div>',
  'a table': '| a | b | c |\n|:--|:-:|--:|\n| 1 | **2** | ~~3~~ |\n| `4` | [5](/x) | |',
  'lists and tasks': '3. c\n4. d\n   - [ ] open\n   - [x] done\n\n- loose\n\n- items',
  'links and pictures': '[a](https://a.example "title") ![alt](/p.png "t") <https://b.example> www.c.example',
  'a footnote': 'Said.[^1] And again.[^1]\n\n[^1]: By *whom*.',
  'code, quotes and lines':
    '> quote\n> ```sql\n> select 1\n> ```\n\n`code`  \nnext\n\n---\n\n# One\n###### Six',
};

it.each(Object.entries(texts))('draws %s as the whole library does', (_, text) => {
  const urlTransform = (url: string): string => url;
  const drawn = renderToStaticMarkup(drawElements(readMarkdown(text), { elements: {}, urlTransform }));
  const whole = renderToStaticMarkup(
    <ReactMarkdown remarkPlugins={[remarkGfm]} urlTransform={urlTransform}>
      {text}
    </ReactMarkdown>,
  );
  expect(drawn).toBe(whole);
});

it('asks where each address leads', () => {
  const drawn = renderToStaticMarkup(
    drawElements(readMarkdown('[a](javascript:x) ![b](data:y)'), { elements: {}, urlTransform: () => '' }),
  );
  expect(drawn).not.toMatch(/javascript|data:/u);
});

it('reads <br> as a line break, and other HTML as text', () => {
  const drawn = renderToStaticMarkup(
    drawElements(readMarkdown('a<br>b<hr>c'), { elements: {}, urlTransform: (url) => url }),
  );
  expect(drawn).toBe('<p>a<br/>\nb&lt;hr&gt;c</p>');
});
